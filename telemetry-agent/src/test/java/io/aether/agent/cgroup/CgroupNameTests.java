// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.cgroup;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CgroupNameTests {
    private static final String ID = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";

    @ParameterizedTest
    @CsvSource({
        "/, root",
        "/docker/ID, docker/0123456789ab",
        "/system.slice/docker-ID.scope, docker/0123456789ab",
        "/system.slice/containerd.service/kubepods-burstable.slice/cri-containerd-ID.scope, containerd/0123456789ab",
        "/machine.slice/libpod-ID.scope/container, podman/0123456789ab",
        "/somewhere/ID, container/0123456789ab",
        "/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod1234abcd_1111_2222_3333_444455556666.slice/crio-ID.scope,"
                + "pod/1234abcd/0123456789ab",
        "/kubepods/besteffort/pod1234abcd-1111-2222-3333-444455556666/ID, pod/1234abcd/0123456789ab",
        "/kubepods/besteffort/pod1234abcd-1111-2222-3333-444455556666, pod/1234abcd",
        "/kubepods.slice/kubepods-pod0123456789abcdef0123456789abcdef.slice/cri-containerd-ID.scope,"
                + "pod/01234567/0123456789ab",
        "/system.slice/containerd.service/kubepods-besteffort-pod1234abcd_1111_2222_3333_444455556666.slice:cri-containerd:ID,"
                + "pod/1234abcd/0123456789ab",
        "/kubepods/burstable/pod1234abcd-1111-2222-3333-444455556666/crio-ID, pod/1234abcd/0123456789ab",
        "/docker/ID/init.scope, docker/0123456789ab",
        "/system.slice/docker.service/docker/ID, docker/0123456789ab",
        "/system.slice/crio-ID.scope, crio/0123456789ab",
        "/default/nerdctl-ID, containerd/0123456789ab",
        "/libpod_parent/libpod-ID, podman/0123456789ab",
        "/user.slice/user-1000.slice/user@1000.service/user.slice/libpod-ID.scope, podman/0123456789ab",
        "/machine.slice/libpod-payload-ID, podman/0123456789ab",
        "/lxc/web/init.scope, lxc/web",
        "/lxc.payload.web/system.slice/ssh.service, lxc/web",
        "/machine.slice/machine-db.scope/payload, machine/db",
        "/system.slice/nginx.service, nginx.service",
        "/user.slice/user-1000.slice/user@1000.service/app.slice/shop.service, shop.service",
        "/user.slice/user-1000.slice/session-3.scope, user.slice/user-1000.slice/session-3.scope",
        "/aether/checkout-1, aether/checkout-1"
    })
    void namesWhatAnOperatorKnows(String path, String name) {
        assertThat(CgroupName.of(path.replace("ID", ID))).isEqualTo(name);
    }

    @Test
    void boundsAndTidiesHostileNames() {
        assertThat(CgroupName.of("/" + "x".repeat(5_000)))
                .hasSize(CgroupName.MAX_LENGTH)
                .startsWith("~");
        assertThat(CgroupName.of("/a\nb\u0007c")).isEqualTo("a?b?c");
        assertThat(CgroupName.of("/a\u2028b\u202ec\ud800d")).isEqualTo("a?b?c?d");
        // Cut in the middle of a pair.
        assertThat(CgroupName.of("/" + "\ud83d\ude00".repeat(100)))
                .startsWith("~?")
                .hasSize(CgroupName.MAX_LENGTH);
    }

    @Test
    void isNotFooledByWhatOnlyLooksLikeAContainer() {
        assertThat(CgroupName.of("/docker-" + ID.substring(1))).doesNotStartWith("docker/");
        assertThat(CgroupName.of("/podcast/poddy")).isEqualTo("podcast/poddy");
    }
}
