/*
 * json.h: checks whether a text is valid JSON (RFC 8259).
 */

#ifndef JSON_H
#define JSON_H

#include <stdbool.h>
#include <string.h>

static bool json_value(const char **at, int depth);

static void json_space(const char **at) {
    *at += strspn(*at, " \t\r\n");
}

static bool json_string(const char **at) {
    if (*(*at)++ != '"') return false;
    for (; **at != '"'; (*at)++) {
        if ((unsigned char)**at < 0x20) return false; /* the end of the text too */
        if (**at != '\\') continue;
        (*at)++;
        if (**at == 'u') {
            if (strspn(*at + 1, "0123456789abcdefABCDEF") < 4) return false;
            *at += 4;
        } else if (**at == '\0' || strchr("\"\\/bfnrt", **at) == NULL) {
            return false;
        }
    }
    (*at)++;
    return true;
}

static bool json_digits(const char **at) {
    size_t count = strspn(*at, "0123456789");
    *at += count;
    return count > 0;
}

static bool json_number(const char **at) {
    if (**at == '-') (*at)++;
    if (**at == '0') (*at)++;
    else if (!json_digits(at)) return false;
    if (**at == '.' && ((*at)++, !json_digits(at))) return false;
    if (**at == 'e' || **at == 'E') {
        (*at)++;
        if (**at == '+' || **at == '-') (*at)++;
        return json_digits(at);
    }
    return true;
}

static bool json_members(const char **at, char end, int depth) {
    (*at)++;
    json_space(at);
    if (**at == end) return (*at)++, true;
    for (;;) {
        if (end == '}') {
            json_space(at);
            if (!json_string(at)) return false;
            json_space(at);
            if (*(*at)++ != ':') return false;
        }
        if (!json_value(at, depth + 1)) return false;
        if (**at == end) return (*at)++, true;
        if (*(*at)++ != ',') return false;
    }
}

static bool json_value(const char **at, int depth) {
    bool valid;
    if (depth > 100) return false;
    json_space(at);
    switch (**at) {
    case '{': valid = json_members(at, '}', depth); break;
    case '[': valid = json_members(at, ']', depth); break;
    case '"': valid = json_string(at); break;
    case 't': valid = strncmp(*at, "true", 4) == 0; *at += valid ? 4 : 0; break;
    case 'f': valid = strncmp(*at, "false", 5) == 0; *at += valid ? 5 : 0; break;
    case 'n': valid = strncmp(*at, "null", 4) == 0; *at += valid ? 4 : 0; break;
    default: valid = json_number(at);
    }
    json_space(at);
    return valid;
}

static bool json_is_valid(const char *text) {
    return json_value(&text, 0) && *text == '\0';
}

#endif
