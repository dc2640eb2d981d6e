#!/usr/bin/env bash
# Packs the package, installs it into an empty folder and uses it from there, as its users do. Usage: scripts/try-package.sh WORK_FOLDER
set -euo pipefail
work="${1:?folder to work in}"
runtime="$PWD/node_modules/.bin"
npm pack --silent --pack-destination "$work" >/dev/null
"$runtime/publint" --strict
mkdir -p "$work/user"
cd "$work/user"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent "$work"/bottleship-*.tgz
export PATH="$runtime:$PATH"
npx bottleship --version
cat > use.mjs <<'JS'
import { createCluster } from 'bottleship';
import { createTestCluster } from 'bottleship/testing';

const cluster = await createCluster({ nodes: 1 });
const { code, stdout } = await cluster.kubectl(['create', 'deployment', 'web', '--image=nginx']);
await cluster.settle();
if (code !== 0 || typeof createTestCluster !== 'function') throw new Error('the package does not work');
console.log(stdout.join('\n'));
JS
node use.mjs
node -e "if (require('bottleship').createCluster === undefined) throw new Error('the package cannot be required')"
