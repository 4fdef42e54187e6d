# SPDX-License-Identifier: BSD-2-Clause
# Lines "FRAMES ERRORS FRAMES ERRORS": do the intervals of 95 % of both error rates overlap? Clopper and
# Pearson's, by bisection of the binomial tails. Prints the intervals; ends with 1 if some do not.
function tail(n, k, p,    i, s, t) { # P(X <= k)
    t = n * log(1 - p)
    s = exp(t)
    for (i = 1; i <= k; i++) {
        t += log((n - i + 1) / i * p / (1 - p))
        s += exp(t)
    }
    return s
}
function bound(n, k, upper,    lo, hi, mid, i) {
    if (!upper && k == 0)
        return 0
    if (upper && k == n)
        return 1
    lo = 1e-12
    hi = 1 - 1e-12
    for (i = 0; i < 60; i++) {
        mid = (lo + hi) / 2
        if (upper ? tail(n, k, mid) > 0.025 : 1 - tail(n, k - 1, mid) < 0.025)
            lo = mid
        else
            hi = mid
    }
    return (lo + hi) / 2
}
NF != 4 { bad = 1; next }
{
    own_lo = bound($1, $2, 0)
    own_hi = bound($1, $2, 1)
    lo = bound($3, $4, 0)
    hi = bound($3, $4, 1)
    printf "%d of %d: %.4g to %.4g; published %.4g to %.4g\n", $2, $1, own_lo, own_hi, lo, hi
    bad = bad || own_lo > hi || lo > own_hi
}
END { exit bad || !NR }
