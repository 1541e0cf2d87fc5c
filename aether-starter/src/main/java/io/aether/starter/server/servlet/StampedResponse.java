// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.server.servlet;

import io.aether.core.score.LoadReport;
import io.aether.core.score.LoadWord;
import io.aether.starter.context.ContextHeaders;
import io.aether.starter.server.ServerEntry;
import io.aether.starter.server.ServerRequest;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.IOException;
import java.io.PrintWriter;

/**
 * An answer that tells of pressure. A header has to be there before the first byte of the body, and what the branches said is
 * known only when the handler is done: so it is written when somebody asks for the body's stream, or at the end.
 */
final class StampedResponse extends HttpServletResponseWrapper {

    private final ServerEntry entry;
    private final ServerRequest request;

    StampedResponse(HttpServletResponse response, ServerEntry entry, ServerRequest request) {
        super(response);
        this.entry = entry;
        this.request = request;
    }

    /** Writes the headers as they are now, unless it is too late. */
    void stamp() {
        if (isCommitted()) {
            return;
        }
        String pressure = entry.pressure(request);
        if (pressure != null) {
            super.setHeader(ContextHeaders.PRESSURE, pressure);
        }
        String word = entry.word(request);
        if (word != null) {
            super.setHeader(LoadWord.HEADER, word);
        }
        String load = entry.load();
        if (load != null) {
            setHeader(LoadReport.HEADER, load);
        }
    }

    /** A proxy copies the headers of the answer that it got: the pressure and load of its branch are not those of its own answer. */
    private boolean ofABranch(String name) {
        return name.equalsIgnoreCase(LoadWord.HEADER)
                || (name.equalsIgnoreCase(ContextHeaders.PRESSURE) && !entry.trusting());
    }

    @Override
    public void setHeader(String name, String value) {
        if (!ofABranch(name)) {
            super.setHeader(name, value);
        }
    }

    @Override
    public void addHeader(String name, String value) {
        if (!ofABranch(name)) {
            super.addHeader(name, value);
        }
    }

    @Override
    public ServletOutputStream getOutputStream() throws IOException {
        stamp();
        return super.getOutputStream();
    }

    @Override
    public PrintWriter getWriter() throws IOException {
        stamp();
        return super.getWriter();
    }

    @Override
    public void flushBuffer() throws IOException {
        stamp();
        super.flushBuffer();
    }

    @Override
    public void sendError(int status) throws IOException {
        stamp();
        super.sendError(status);
    }

    @Override
    public void sendError(int status, String message) throws IOException {
        stamp();
        super.sendError(status, message);
    }

    @Override
    public void sendRedirect(String location) throws IOException {
        stamp();
        super.sendRedirect(location);
    }
}
