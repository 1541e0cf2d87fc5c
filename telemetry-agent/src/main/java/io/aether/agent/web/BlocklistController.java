// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.web;

import io.aether.agent.bpf.Cidr;
import io.aether.agent.bpf.GuardInterface;
import io.aether.agent.bpf.GuardList;
import io.aether.agent.guard.GuardOffException;
import io.aether.agent.guard.GuardService;
import io.aether.agent.guard.ListFullException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** The guard's lists: read by anybody who reaches the agent, changed with its token ({@link WriteAccess}). */
@RestController
@RequestMapping("/api/v1/blocklist")
class BlocklistController {
    private static final Duration LONGEST = Duration.ofDays(3650);
    private static final String EXAMPLE = "{\"block\": [\"203.0.113.0/24\"], \"ttl\": \"10m\"}";

    private final GuardService guard;

    BlocklistController(GuardService guard) {
        this.guard = guard;
    }

    /** Everything at one moment. */
    record Answer(String mode, int maxEntries, List<Interface> interfaces, List<Entry> block, List<Entry> allow) {}

    /** As in {@link GuardInterface}. */
    record Interface(String name, String state, String hook, String reason, String fix) {
        static Interface of(GuardInterface from) {
            return new Interface(
                    from.name(), from.state().name().toLowerCase(Locale.ROOT), from.hook(), from.reason(), from.fix());
        }
    }

    /** @param secondsLeft null when the entry stays */
    record Entry(String cidr, @Nullable Long secondsLeft) {}

    /** @param ttl how long the entries stay, such as {@code 90s} or {@code 10m}; null for ever */
    record Change(
            @Nullable List<String> block,
            @Nullable List<String> allow,
            @Nullable String ttl) {}

    /** Networks that were entered or removed, and what each list holds now. */
    record Changed(int changed, int block, int allow) {}

    @GetMapping
    Answer read() {
        return new Answer(
                guard.mode().name().toLowerCase(Locale.ROOT),
                guard.maxEntries(),
                guard.interfaces().stream().map(Interface::of).toList(),
                entries(GuardList.BLOCK),
                entries(GuardList.ALLOW));
    }

    private List<Entry> entries(GuardList list) {
        List<Entry> entries = new ArrayList<>();
        guard.list(list).forEach((cidr, left) -> entries.add(new Entry(cidr.toString(), seconds(left))));
        return entries;
    }

    private static @Nullable Long seconds(Duration left) {
        return left.isNegative() ? null : left.toSeconds();
    }

    /** Enters networks. */
    @PostMapping
    Changed add(@RequestBody Change change) throws ListFullException, GuardOffException {
        Duration lifetime = lifetime(change.ttl());
        Map<GuardList, List<Cidr>> wanted = wanted(change);
        for (Map.Entry<GuardList, List<Cidr>> list : wanted.entrySet()) {
            guard.add(list.getKey(), list.getValue(), lifetime);
        }
        return changed(wanted);
    }

    /** Replaces the lists that are named. */
    @PutMapping
    Changed replace(@RequestBody Change change) throws ListFullException, GuardOffException {
        Duration lifetime = lifetime(change.ttl());
        Map<GuardList, List<Cidr>> wanted = wanted(change);
        for (Map.Entry<GuardList, List<Cidr>> list : wanted.entrySet()) {
            guard.replace(list.getKey(), list.getValue(), lifetime);
        }
        return changed(wanted);
    }

    /** Removes networks, written exactly as they were entered, from one list or from both. */
    @DeleteMapping
    Changed remove(@RequestParam List<String> cidr, @RequestParam(required = false) @Nullable String list)
            throws GuardOffException {
        List<Cidr> networks = parse("cidr", cidr);
        int removed = 0;
        for (GuardList one : list == null ? List.of(GuardList.values()) : List.of(named(list))) {
            removed += guard.remove(one, networks).size();
        }
        return new Changed(removed, guard.size(GuardList.BLOCK), guard.size(GuardList.ALLOW));
    }

    private Changed changed(Map<GuardList, List<Cidr>> wanted) {
        int count = wanted.values().stream().mapToInt(List::size).sum();
        return new Changed(count, guard.size(GuardList.BLOCK), guard.size(GuardList.ALLOW));
    }

    /** All is read before anything is changed. */
    private static Map<GuardList, List<Cidr>> wanted(Change change) {
        Map<GuardList, List<Cidr>> wanted = new EnumMap<>(GuardList.class);
        List<String> block = change.block();
        if (block != null) {
            wanted.put(GuardList.BLOCK, parse("block", block));
        }
        List<String> allow = change.allow();
        if (allow != null) {
            wanted.put(GuardList.ALLOW, parse("allow", allow));
        }
        if (wanted.isEmpty()) {
            throw new IllegalArgumentException("name networks in \"block\" or in \"allow\", such as " + EXAMPLE);
        }
        return wanted;
    }

    private static List<Cidr> parse(String name, List<? extends @Nullable String> texts) {
        List<Cidr> networks = new ArrayList<>(texts.size());
        for (int i = 0; i < texts.size(); i++) {
            try {
                networks.add(Cidr.parse(String.valueOf(texts.get(i))));
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException(name + "[" + i + "]: " + e.getMessage(), e);
            }
        }
        return networks;
    }

    private static GuardList named(String list) {
        return switch (list) {
            case "block" -> GuardList.BLOCK;
            case "allow" -> GuardList.ALLOW;
            default -> throw new IllegalArgumentException("list must be block or allow, not '" + list + "'");
        };
    }

    private static @Nullable Duration lifetime(@Nullable String ttl) {
        if (ttl == null) {
            return null;
        }
        try {
            Duration lifetime = DurationStyle.detectAndParse(ttl);
            if (!ttl.matches("\\d+") && lifetime.toMillis() > 0 && lifetime.compareTo(LONGEST) <= 0) {
                return lifetime;
            }
        } catch (IllegalArgumentException | ArithmeticException e) {
            // Reported below, like a time out of range.
        }
        throw new IllegalArgumentException(
                "ttl must be a time such as 90s, 10m or 7d, at most 3650d, not '" + ttl + "'");
    }

    @ExceptionHandler(IllegalArgumentException.class)
    ProblemDetail wrong(IllegalArgumentException e) {
        return ProblemDetail.forStatusAndDetail(HttpStatus.BAD_REQUEST, String.valueOf(e.getMessage()));
    }

    @ExceptionHandler(HttpMessageNotReadableException.class)
    ProblemDetail unreadable(HttpMessageNotReadableException e) {
        return ProblemDetail.forStatusAndDetail(
                HttpStatus.BAD_REQUEST, "the body must be JSON such as " + EXAMPLE + ": " + firstLine(e));
    }

    private static String firstLine(HttpMessageNotReadableException e) {
        return String.valueOf(e.getMessage()).lines().findFirst().orElse("");
    }

    @ExceptionHandler(ListFullException.class)
    ProblemDetail full(ListFullException e) {
        return ProblemDetail.forStatusAndDetail(HttpStatus.INSUFFICIENT_STORAGE, String.valueOf(e.getMessage()));
    }

    @ExceptionHandler(GuardOffException.class)
    ProblemDetail off(GuardOffException e) {
        return ProblemDetail.forStatusAndDetail(HttpStatus.CONFLICT, String.valueOf(e.getMessage()));
    }
}
