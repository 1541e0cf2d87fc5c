// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.aether.core.pick.InstanceKey;
import io.aether.core.table.EndpointAddress;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Names and addresses, with a name server that can fail. */
class AddressBookTests {

    private final Map<String, String> names = new HashMap<>(Map.of("a.test", "10.0.0.1"));
    private final AddressBook book = new AddressBook(host -> {
        String address = names.get(host);
        if (address == null) {
            throw new UnknownHostException(host);
        }
        InetAddress[] all = new InetAddress[address.split(" ").length];
        for (int i = 0; i < all.length; i++) {
            all[i] = InetAddress.getByName(address.split(" ")[i]);
        }
        return all;
    });

    private static InstanceKey key(String host, int port) {
        return new InstanceKey("shop", "http", host, port);
    }

    @Test
    void askingOnlyNotesTheNameAndTheNextRefreshFindsIt() {
        assertThat(book.resolve(key("a.test", 80))).isNull();
        assertThat(book.isIncomplete()).isTrue();
        assertThat(book.refreshNew()).isTrue();
        assertThat(book.resolve(key("a.test", 80))).isEqualTo(EndpointAddress.parse("10.0.0.1", 80));
        assertThat(book.isIncomplete()).isFalse();
    }

    @Test
    void anAddressThatChangesIsTakenUpAndOneThatIsLostIsKept() {
        book.resolve(key("a.test", 80));
        book.refreshNew();
        names.put("a.test", "10.0.0.2");
        book.refresh(Set.of("a.test"));
        assertThat(book.resolve(key("a.test", 80))).isEqualTo(EndpointAddress.parse("10.0.0.2", 80));
        names.clear();
        book.refresh(Set.of("a.test"));
        assertThat(book.resolve(key("a.test", 80))).isEqualTo(EndpointAddress.parse("10.0.0.2", 80));
        book.refresh(Set.of());
        assertThat(book.resolve(key("a.test", 80))).isNull();
    }

    @Test
    void aNameWithManyAddressesHasNoneAndOneOfBothFamiliesHasOne() {
        names.put("many.test", "10.0.0.1 10.0.0.2 10.0.0.3");
        names.put("dual.test", "10.0.0.1 2001:db8::1");
        book.refresh(Set.of("many.test", "dual.test"));
        assertThat(book.resolve(key("many.test", 80))).isNull();
        assertThat(book.resolve(key("dual.test", 80))).isEqualTo(EndpointAddress.parse("10.0.0.1", 80));
        names.put("many.test", "10.0.0.2");
        book.refresh(Set.of("many.test"));
        assertThat(book.resolve(key("many.test", 80))).isEqualTo(EndpointAddress.parse("10.0.0.2", 80));
    }

    @Test
    void badKeysAndUnknownNamesAreNoAddress() {
        assertThat(book.resolve(key("", 80))).isNull();
        assertThat(book.resolve(key("a.test", -1))).isNull();
        assertThat(book.resolve(key("nowhere.test", 80))).isNull();
        assertThat(book.refreshNew()).isFalse();
        assertThat(book.isIncomplete()).isFalse();
    }
}
