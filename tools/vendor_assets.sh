#!/usr/bin/env bash
# Rebuilds app/static/vendor from pinned npm packages. Needs node, npm and Python with `fonttools[woff]`.
# The results are committed, so neither building nor running the product needs any of these.
set -euo pipefail

HTMX=htmx.org@4.0.1
PLOTLY=plotly.js-basic-dist-min@4.1.1 # the version that plotly 7.1 for Python embeds
INTER=inter-ui@4.1.1
MONO=@fontsource-variable/jetbrains-mono@5.3.0
PYTHON=${PYTHON:-python3}

target=$(cd "$(dirname "$0")/.." && pwd)/app/static/vendor
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$target"

unpack() { # package, folder
  mkdir -p "$work/$2"
  tar xzf "$work/$(cd "$work" && npm pack --silent "$1")" -C "$work/$2" --strip-components=1
}

unpack "$HTMX" htmx
unpack "$PLOTLY" plotly
unpack "$INTER" inter
unpack "$MONO" mono

cp "$work/htmx/dist/htmx.min.js" "$target/htmx.min.js"
cp "$work/htmx/LICENSE" "$target/htmx.LICENSE.txt"
cp "$work/plotly/plotly-basic.min.js" "$target/plotly-basic.min.js"
cp "$work/plotly/LICENSE" "$target/plotly-basic.LICENSE.txt"
cp "$work/inter/LICENSE.txt" "$target/inter.LICENSE.txt"
cp "$work/mono/LICENSE" "$target/jetbrains-mono.LICENSE.txt"

# Latin, and the signs of the field that the packaged latin subsets lack: arrows, comparisons, superscripts.
unicodes='U+0020-007E,U+00A0-00FF,U+0131,U+0152-0153,U+02C6,U+02DA,U+02DC,U+0394,U+03A3,U+03BC,U+03C3'
unicodes+=',U+2009,U+200A,U+2010-2015,U+2018-201E,U+2020-2022,U+2026,U+202F,U+2032-2033,U+2039-203A,U+2044'
unicodes+=',U+2070,U+2074-207F,U+2080-2089,U+20AC,U+2122,U+2190-2193,U+2197,U+2198,U+21E5,U+2211,U+2212,U+221A'
unicodes+=',U+221E,U+2248,U+2260,U+2264-2265,U+25B7,U+25CF,U+25CB,U+2713,U+2717'
"$PYTHON" -m fontTools.subset "$work/inter/variable/InterVariable.woff2" --unicodes="$unicodes" \
  --layout-features=kern,liga,calt,ccmp,locl,mark,mkmk,tnum,case --flavor=woff2 \
  --output-file="$work/inter.woff2"
# The design uses weights 400 to 650 at text sizes only: the optical-size axis is pinned.
"$PYTHON" -m fontTools.varLib.instancer "$work/inter.woff2" opsz=14 wght=400:700 --quiet \
  --output "$target/inter-variable.woff2"
"$PYTHON" -m fontTools.subset "$work/mono/files/jetbrains-mono-latin-wght-normal.woff2" \
  --unicodes="$unicodes" --flavor=woff2 --output-file="$target/jetbrains-mono-variable.woff2"

# Brotli at its best level takes seconds, so it is done here; gzip is made when first asked for.
node -e '
const fs = require("fs"), zlib = require("zlib");
for (const name of process.argv.slice(1)) {
  const raw = fs.readFileSync(name);
  const params = { [zlib.constants.BROTLI_PARAM_QUALITY]: 11, [zlib.constants.BROTLI_PARAM_SIZE_HINT]: raw.length };
  fs.writeFileSync(name + ".br", zlib.brotliCompressSync(raw, { params }));
}' "$target/htmx.min.js" "$target/plotly-basic.min.js"

ls -l "$target"
