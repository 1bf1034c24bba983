#!/bin/sh
# What the tests need from the system: a real browser, database server and proxy, and networks that can fail.
# Installs them where it may; otherwise says what is missing, and which tests will fail without it.
set -eu

missing=""
command -v chromium >/dev/null 2>&1 || missing="$missing chromium"
ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || missing="$missing postgresql"
{ command -v nginx || [ -x /usr/sbin/nginx ]; } >/dev/null 2>&1 || missing="$missing nginx-light"
command -v ip >/dev/null 2>&1 || missing="$missing iproute2"

# A Chromium that has no window, and so less to do, where Debian has one: the tests take it if it is there.
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1 && ! command -v chromium-headless-shell >/dev/null 2>&1; then
  { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends chromium-headless-shell; } >/dev/null 2>&1 || true
fi
[ -n "$missing" ] || exit 0

if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
  echo "installing$missing"
  apt-get update -qq
  # no cluster of its own: the tests start private ones
  mkdir -p /etc/postgresql-common
  [ -e /etc/postgresql-common/createcluster.conf ] || echo "create_main_cluster = false" >/etc/postgresql-common/createcluster.conf
  # shellcheck disable=SC2086
  DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends $missing >/dev/null
else
  echo "missing:$missing. Without chromium the tests in tests/browser fail, without postgresql, nginx or iproute2" >&2
  echo "those of a database server, a proxy or a network that is cut. As root: apt-get install$missing" >&2
fi
