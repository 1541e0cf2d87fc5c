// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.cgroup;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NodeContainerNamesTests {
    private static final String ID = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";
    private static final String UID = "1234abcd-1111-2222-3333-444455556666";

    @TempDir
    Path root;

    @Test
    void takesDockersName() throws IOException {
        write(
                "var/lib/docker/containers/" + ID + "/config.v2.json",
                "{\"ID\":\"x\",\"Name\":\"/web-1\",\"Driver\":\"d\"}");

        assertThat(CgroupName.of("/system.slice/docker-" + ID + ".scope", names()))
                .isEqualTo("docker/web-1");
    }

    @Test
    void takesTheKubeletsNames() throws IOException {
        write("var/log/containers/shop-7d9f_prod_app-" + ID + ".log", "");
        write("var/log/pods/prod_shop-7d9f_" + UID + "/app/0.log", "");

        String pod = "/kubepods/burstable/pod" + UID;
        assertThat(CgroupName.of(pod + "/" + ID, names())).isEqualTo("pod/prod/shop-7d9f/app");
        assertThat(CgroupName.of(pod, names())).isEqualTo("pod/prod/shop-7d9f");
        assertThat(CgroupName.of(pod + "/" + ID.replace('0', 'f'), names()))
                .isEqualTo("pod/prod/shop-7d9f/f123456789ab");
    }

    @Test
    void takesPodmansName() throws IOException {
        write(
                "var/lib/containers/storage/overlay-containers/containers.json",
                "[{\"id\":\"" + ID + "\",\"names\":[\"db\"],\"image\":\"i\"}]");

        assertThat(CgroupName.of("/machine.slice/libpod-" + ID + ".scope/container", names()))
                .isEqualTo("podman/db");
    }

    @Test
    void doesWithoutWhatIsMissingOrMakesNoSense() throws IOException {
        write("var/lib/docker/containers/" + ID + "/config.v2.json", "\u0000{\"Name\":");
        write("var/log/containers/nonsense.log", "");
        write("var/lib/containers/storage/overlay-containers/containers.json", "[[[");

        assertThat(CgroupName.of("/docker/" + ID, names())).isEqualTo("docker/0123456789ab");
    }

    private NodeContainerNames names() {
        NodeContainerNames names = new NodeContainerNames(root);
        names.refresh();
        return names;
    }

    private void write(String file, String text) throws IOException {
        Path path = root.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, text);
    }
}
