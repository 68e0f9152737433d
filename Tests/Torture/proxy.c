/* A proxy before a server, in a separate process, which cuts connections. */

#include "proxy.h"
#include "loopback.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>

enum { LINKS = 128, PIECE = 16384, CLIENT = 0, SERVER = 1 };

struct proxy_control {
    int mode, one_in;
    double silence;
    long cuts, silences;
};

/* The connection of each side, and the bytes that were read from it and not passed on yet. */
static struct link {
    bool is_open;
    double silent_until;
    int ends[2];
    char pieces[2][PIECE];
    size_t held[2];
    bool has_ended[2];
} links[LINKS];

static struct proxy_control *control;
static struct dice dice;

static void cut(struct link *link, bool is_rude) {
    struct linger now = { 1, 0 };
    int side;
    for (side = 0; side < 2; side++) {
        if (is_rude) setsockopt(link->ends[side], SOL_SOCKET, SO_LINGER, &now, sizeof now);
        close(link->ends[side]);
    }
    link->is_open = false;
}

static void take_in(int listener, int server_port) {
    int end = accept(listener, NULL, NULL), side, i;
    if (end < 0) return;
    for (i = 0; i < LINKS && links[i].is_open; i++) continue;
    if (i == LINKS) {
        close(end);
        return;
    }
    memset(&links[i], 0, sizeof links[i]);
    links[i].ends[CLIENT] = end;
    links[i].ends[SERVER] = connect_to_loopback(server_port);
    if (links[i].ends[SERVER] < 0) {
        close(end);
        return;
    }
    links[i].is_open = true;
    for (side = 0; side < 2; side++) fcntl(links[i].ends[side], F_SETFL, O_NONBLOCK);
}

/* Decides what happens to a piece that came from `side`. A part of it may still be passed on. */
static void break_off(struct link *link, int side) {
    long roll = dice_below(&dice, 8);
    if (roll == 0) {
        control->silences++;
        link->silent_until = seconds_now() + control->silence * (double)(1 + dice_below(&dice, 100)) / 100;
        return;
    }
    control->cuts++;
    if (roll < 6) {
        size_t part = roll >= 3 ? link->held[side] : (size_t)dice_below(&dice, (long)link->held[side]);
        if (send(link->ends[1 - side], link->pieces[side], part, MSG_NOSIGNAL) < 0) part = 0;
        /* Let the server read it before the connection ends. */
        pause_for((double)dice_below(&dice, 20) / 1000);
    }
    cut(link, dice_below(&dice, 2) == 0);
}

static bool is_silent(const struct link *link) {
    return control->mode == PROXY_IS_SILENT || link->silent_until > seconds_now();
}

/* If the answer to a commit is lost, the outcome is unknown. That must happen often. */
static bool breaks(const struct link *link, int side) {
    bool commits = side == CLIENT && memmem(link->pieces[side], link->held[side], "COMMIT", 6) != NULL;
    return control->mode == PROXY_BREAKS && dice_below(&dice, commits ? control->one_in / 10 : control->one_in) == 0;
}

static void pass_on(struct link *link, int side, short events) {
    ssize_t count;
    if (link->held[side] == 0 && !link->has_ended[side] && (events & (POLLIN | POLLHUP | POLLERR)) != 0) {
        count = recv(link->ends[side], link->pieces[side], PIECE, 0);
        if (count > 0) link->held[side] = (size_t)count;
        else if (count == 0 || errno != EAGAIN) link->has_ended[side] = true;
        if (count > 0 && breaks(link, side)) break_off(link, side);
    }
    if (!link->is_open || is_silent(link)) return;
    if (link->held[side] > 0) {
        count = send(link->ends[1 - side], link->pieces[side], link->held[side], MSG_NOSIGNAL);
        if (count < 0 && errno != EAGAIN) {
            cut(link, false);
            return;
        }
        if (count > 0) memmove(link->pieces[side], link->pieces[side] + count, link->held[side] -= (size_t)count);
    }
    if (link->held[side] == 0 && link->has_ended[side]) cut(link, false);
}

static void go_on(struct link *link, const struct pollfd *polls) {
    int side;
    for (side = 0; side < 2 && link->is_open; side++) pass_on(link, side, polls[side].revents);
}

/* Passes data on for ever. */
static void pass_all_on(int listener, int server_port) {
    static struct pollfd polls[1 + 2 * LINKS];
    for (;;) {
        int i, side;
        polls[0].fd = listener;
        polls[0].events = POLLIN;
        for (i = 0; i < LINKS; i++) {
            for (side = 0; side < 2; side++) {
                struct pollfd *entry = &polls[1 + 2 * i + side];
                struct link *link = &links[i];
                bool reads = link->is_open && link->held[side] == 0 && !link->has_ended[side];
                bool writes = link->is_open && link->held[1 - side] > 0 && !is_silent(link);
                entry->fd = reads || writes ? link->ends[side] : -1;
                entry->events = (short)((reads ? POLLIN : 0) | (writes ? POLLOUT : 0));
                entry->revents = 0;
            }
        }
        if (poll(polls, 1 + 2 * LINKS, 20) < 0) _exit(1);
        for (i = 0; i < LINKS; i++)
            if (links[i].is_open) go_on(&links[i], &polls[1 + 2 * i]);
        if (polls[0].revents != 0) take_in(listener, server_port);
    }
}

void proxy_start(struct proxy *proxy, int server_port, uint64_t seed) {
    int listener = listen_on_loopback(&proxy->port);
    fcntl(listener, F_SETFL, O_NONBLOCK);
    control = mmap(NULL, sizeof *control, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (control == MAP_FAILED) give_up("mmap");
    proxy->control = control;
    dice = dice_of(seed, 77);
    fflush(stdout);
    proxy->pid = fork();
    if (proxy->pid < 0) give_up("fork");
    if (proxy->pid == 0) {
        alarm(0);
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        pass_all_on(listener, server_port);
    }
    close(listener);
}

void proxy_set(struct proxy *proxy, enum proxy_mode mode, int one_in, double silence) {
    proxy->control->one_in = one_in;
    proxy->control->silence = silence;
    __atomic_store_n(&proxy->control->mode, (int)mode, __ATOMIC_SEQ_CST);
}

long proxy_cuts(const struct proxy *proxy) {
    return proxy->control->cuts;
}

long proxy_silences(const struct proxy *proxy) {
    return proxy->control->silences;
}

void proxy_end(struct proxy *proxy) {
    kill(proxy->pid, SIGKILL);
    waitpid(proxy->pid, NULL, 0);
    munmap(proxy->control, sizeof *proxy->control);
}
