// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.dag;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.aether.bench.demo.UsageException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class OverloadOptionsTests {

    @Test
    void blocksShareTheSeconds() throws Exception {
        OverloadOptions usual = OverloadOptions.parse("--overload");
        assertThat(usual.pairs() * 2 * usual.phases().stop()).isEqualTo(usual.seconds());
        OverloadOptions longer = OverloadOptions.parse("--overload", "--seconds", "300", "--json", "x.json");
        assertThat(longer.pairs()).isEqualTo(5);
        assertThat(longer.phases().stop()).isEqualTo(30);
        assertThat(longer.phases().step()).isEqualTo(12);
        assertThat(longer.json()).isEqualTo(Path.of("x.json"));
        assertThat(OverloadOptions.parse("--help").help()).isTrue();
    }

    @Test
    void whatIsWrongIsNamed() {
        for (String seconds : new String[] {"39", "3601", "many", "-1"}) {
            assertThatThrownBy(() -> OverloadOptions.parse("--seconds", seconds))
                    .isInstanceOf(UsageException.class)
                    .hasMessageContaining("'" + seconds + "'", "40 to 3600");
        }
        assertThatThrownBy(() -> OverloadOptions.parse("--json")).hasMessageContaining("--json needs a value");
        assertThatThrownBy(() -> OverloadOptions.parse("--faults", "none")).hasMessageContaining("'--faults'");
    }
}
