// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.limit;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * Which routes of a service form a branch of their own, by patterns of their paths. A pattern's segments are literal, {@code *}
 * for any one, or as the last {@code **} for any rest, none included. Of several that match, the one that is literal for
 * longest wins. What none matches belongs to the group {@value #DEFAULT}.
 *
 * <p>At most {@value #MOST} groups, for each costs a limiter and its time series; when there are more, the rest and what no
 * pattern matches share {@value #OTHER}. Immutable; looking up allocates nothing.
 */
final class RouteGroups {
    static final int MOST = 64;
    static final String DEFAULT = "default";
    static final String OTHER = "~other";

    private final List<String> names = new ArrayList<>();
    private final List<Pattern> patterns = new ArrayList<>();
    private final int leftOut;

    /**
     * @param groups patterns by the group's name
     * @throws IllegalArgumentException naming the pattern that is none
     */
    RouteGroups(Map<String, List<String>> groups) {
        leftOut = Math.max(0, groups.size() - MOST);
        names.add(leftOut > 0 ? OTHER : DEFAULT);
        for (Map.Entry<String, List<String>> group : groups.entrySet()) {
            if (names.size() > MOST) {
                break;
            }
            int index = group.getKey().equals(DEFAULT) ? 0 : names.size();
            if (index > 0) {
                names.add(group.getKey());
            }
            group.getValue().forEach(pattern -> patterns.add(Pattern.of(pattern, index)));
        }
        patterns.sort(Comparator.comparingInt(Pattern::literal).reversed());
    }

    /** The groups' names; the first is that of what no pattern matches. */
    List<String> names() {
        return names;
    }

    /** Groups that were configured and share one limiter because there are too many. */
    int leftOut() {
        return leftOut;
    }

    /** The index in {@link #names()} of a path's group; null is the root. */
    int of(String path) {
        for (int i = 0; i < patterns.size(); i++) {
            Pattern pattern = patterns.get(i);
            if (pattern.matches(path)) {
                return pattern.group();
            }
        }
        return 0;
    }

    /**
     * One pattern.
     *
     * @param literal characters before the first wildcard, one more if there is none
     * @param rest whether anything may follow
     */
    private record Pattern(List<String> segments, int group, int literal, boolean rest) {

        static Pattern of(String text, int group) {
            if (!text.startsWith("/")) {
                throw new IllegalArgumentException("Route pattern \"" + text + "\" must start with /");
            }
            boolean rest = text.endsWith("/**");
            String body = rest ? text.substring(0, text.length() - 3) : text;
            List<String> segments =
                    body.isEmpty() ? List.of() : List.of(body.substring(1).split("/", -1));
            for (String segment : segments) {
                if (segment.contains("*") && !segment.equals("*")) {
                    throw new IllegalArgumentException("Route pattern \"" + text + "\" must have * alone in a segment,"
                            + " and ** only as the last one");
                }
            }
            int wildcard = text.indexOf('*');
            return new Pattern(segments, group, wildcard < 0 ? text.length() + 1 : wildcard, rest);
        }

        boolean matches(String path) {
            int at = 0;
            for (int i = 0; i < segments.size(); i++) {
                if (at >= path.length() || path.charAt(at) != '/') {
                    return false;
                }
                int end = path.indexOf('/', at + 1);
                end = end < 0 ? path.length() : end;
                String segment = segments.get(i);
                int length = end - at - 1;
                boolean any = segment.equals("*") && length > 0;
                if (!any && !(segment.length() == length && path.startsWith(segment, at + 1))) {
                    return false;
                }
                at = end;
            }
            return rest || at == path.length();
        }
    }
}
