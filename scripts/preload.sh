# Compiles the library that `exec` preloads, and writes it, compressed, as a Swift constant: preload.sh TOP OUTPUT COMPILER.
# The plugin EmbedPreload runs it in every build.
set -eu
top=$1 output=$2 compiler=$3
library=$output.so
"$compiler" -shared -fPIC -O2 -s -Wl,--build-id=none -o "$library" "$top"/Sources/CPreload/*.c
{
    printf '// Made by scripts/preload.sh.\nextension PreloadedLibrary {\n    static let text = "'
    gzip -9nc "$library" | base64 | tr -d '\n=' | tr '+/' '-_'
    printf '"\n}\n'
} > "$output"
rm "$library"
