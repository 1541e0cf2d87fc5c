// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.overhead;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/**
 * An HTTP server on Netty, as Spring WebFlux and its gateway are, in a process of its own. It opens its socket only after
 * the first line of input, so that it can be moved into its cgroup before, prints its port, and ends with its input.
 */
final class Server {
    private static final int LOOPS = 2;
    private static final int BACKLOG = 1024;
    private static final byte[] BODY = "x".repeat(200).getBytes(US_ASCII);

    private Server() {}

    public static void main(String[] args) throws IOException, InterruptedException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, US_ASCII));
        in.readLine();
        EventLoopGroup loops = new MultiThreadIoEventLoopGroup(LOOPS, NioIoHandler.newFactory());
        Channel channel = new ServerBootstrap()
                .group(loops)
                .channel(NioServerSocketChannel.class)
                .option(ChannelOption.SO_BACKLOG, BACKLOG)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childHandler(new Pipeline())
                .bind(InetAddress.getLoopbackAddress(), 0)
                .sync()
                .channel();
        System.out.println(((InetSocketAddress) channel.localAddress()).getPort());
        in.readLine();
        loops.shutdownGracefully().sync();
    }

    private static final class Pipeline extends ChannelInitializer<SocketChannel> {
        @Override
        protected void initChannel(SocketChannel channel) {
            channel.pipeline().addLast(new HttpServerCodec(), new Answers());
        }
    }

    /** Answers every request alike; one for each connection. */
    private static final class Answers extends SimpleChannelInboundHandler<HttpObject> {
        private boolean keepAlive = true;

        @Override
        protected void channelRead0(ChannelHandlerContext context, HttpObject part) {
            if (part instanceof HttpRequest request) {
                keepAlive = HttpUtil.isKeepAlive(request);
            }
            if (!(part instanceof LastHttpContent)) {
                return;
            }
            HttpResponse answer = new DefaultFullHttpResponse(
                    HttpVersion.HTTP_1_1, HttpResponseStatus.OK, Unpooled.wrappedBuffer(BODY));
            HttpUtil.setContentLength(answer, BODY.length);
            HttpUtil.setKeepAlive(answer, keepAlive);
            ChannelFuture written = context.writeAndFlush(answer);
            if (!keepAlive) {
                written.addListener(ChannelFutureListener.CLOSE);
            }
        }
    }
}
