/* Sockets of 127.0.0.1. */

#include "loopback.h"

#include <arpa/inet.h>
#include <sys/socket.h>

static struct sockaddr_in address_of(int port) {
    struct sockaddr_in address;
    memset(&address, 0, sizeof address);
    address.sin_family = AF_INET;
    address.sin_port = htons((uint16_t)port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return address;
}

int listen_on_loopback(int *port) {
    struct sockaddr_in address = address_of(0);
    socklen_t size = sizeof address;
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    if (listener < 0 || bind(listener, (struct sockaddr *)&address, sizeof address) != 0 || listen(listener, 64) != 0 ||
        getsockname(listener, (struct sockaddr *)&address, &size) != 0)
        give_up("listen");
    *port = ntohs(address.sin_port);
    return listener;
}

int connect_to_loopback(int port) {
    struct sockaddr_in address = address_of(port);
    int end = socket(AF_INET, SOCK_STREAM, 0);
    if (end >= 0 && connect(end, (struct sockaddr *)&address, sizeof address) == 0) return end;
    if (end >= 0) close(end);
    return -1;
}

int free_port(void) {
    int port;
    close(listen_on_loopback(&port));
    return port;
}
