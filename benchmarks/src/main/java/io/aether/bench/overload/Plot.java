// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.overload;

import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** A bout as a picture: what was wanted, allowed and served; the queue; the share that was marked. */
final class Plot {
    private static final int LEFT = 72;
    private static final int WIDTH = 640;
    private static final int HEIGHT = 130;
    private static final int GAP = 42;
    private static final int TOP = 34;
    private static final int SECONDS_PER_TICK = 2;
    private static final double MOST_RATE = 2.25 * Target.CAPACITY;

    private final StringBuilder svg = new StringBuilder();
    private final Played played;
    private final List<Timeline.Slot> slots;

    Plot(Played played) {
        this.played = played;
        this.slots = played.timeline().slots();
    }

    /** The whole SVG. */
    String svg() {
        int height = TOP + 3 * HEIGHT + 3 * GAP;
        add(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\""
                        + " font-size=\"11\" fill=\"none\">%n",
                LEFT + WIDTH + 20, height);
        add("<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>%n");
        text(
                LEFT,
                14,
                "start",
                "#222",
                "One run of ./aether bench overload: " + played.bout().row());
        panel(0, MOST_RATE, "requests/s", Target.CAPACITY, "capacity");
        line(0, MOST_RATE, "#bbb", Timeline.Slot::wanted, "wanted (cut off above)", 0);
        line(0, MOST_RATE, "#d95f02", Timeline.Slot::allowed, "allowed by the limits", 1);
        line(0, MOST_RATE, "#1b7837", Timeline.Slot::good, "answered within 200 ms", 2);
        panel(1, 120, "queue, ms", 80, "hard limit");
        line(1, 120, "#2166ac", Timeline.Slot::queueMillis, "wait that the server publishes", 0);
        panel(2, 1, "share", 0.32, "rest of the law");
        line(2, 1, "#762a83", Timeline.Slot::fraction, "marked or refused, mean of the clients' memory", 0);
        return svg.append("</svg>\n").toString();
    }

    private void panel(int index, double most, String unit, double mark, String name) {
        int top = top(index);
        add("<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" stroke=\"#ccc\"/>%n", LEFT, top, WIDTH, HEIGHT);
        text(LEFT - 6, top + 9, "end", "#222", number(most));
        text(LEFT - 6, top + HEIGHT, "end", "#222", "0");
        text(LEFT - 6, top + HEIGHT / 2, "end", "#222", unit);
        double y = y(index, most, mark);
        add("<path d=\"M%d %.1fh%d\" stroke=\"#888\" stroke-dasharray=\"4 3\"/>%n", LEFT, y, WIDTH);
        text(LEFT + WIDTH - 4, (int) y - 3, "end", "#888", name + " " + number(mark));
        for (int i = 0; i * 10 <= slots.size(); i += SECONDS_PER_TICK) {
            text((int) x(i * 10), top + HEIGHT + 13, "middle", "#222", i + " s");
        }
    }

    private void line(
            int index, double most, String color, ToDoubleFunction<Timeline.Slot> figure, String name, int place) {
        add("<path stroke=\"%s\" stroke-width=\"1.4\" d=\"", color);
        for (int i = 0; i < slots.size(); i++) {
            add("%s%.0f %.0f", i == 0 ? "M" : "L", x(i), y(index, most, figure.applyAsDouble(slots.get(i))));
        }
        add("\"/>%n");
        text(LEFT + 8, top(index) + 14 + 13 * place, "start", color, name);
    }

    private double x(int slot) {
        return LEFT + (double) WIDTH * slot / Math.max(1, slots.size() - 1);
    }

    private static double y(int index, double most, double value) {
        return top(index) + HEIGHT * (1 - Math.max(0, Math.min(1, value / most)));
    }

    private static int top(int index) {
        return TOP + index * (HEIGHT + GAP);
    }

    private static String number(double value) {
        return value == Math.rint(value) ? Long.toString((long) value) : Double.toString(value);
    }

    private void text(int x, int y, String anchor, String color, String text) {
        add("<text x=\"%d\" y=\"%d\" text-anchor=\"%s\" fill=\"%s\">%s</text>%n", x, y, anchor, color, text);
    }

    @SuppressWarnings("AnnotateFormatMethod") // the annotation would be a dependency for one method
    private void add(String format, Object... values) {
        svg.append(String.format(Locale.ROOT, format, values));
    }
}
