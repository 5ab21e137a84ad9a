#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# php-fpm.t: frames of PHP in the workers of PHP-FPM behind nginx, with opcache and its compiler, under load,
# compared with the stacks that the pages print.
#
# guests: none
# needs: curl nginx php
. "${0%/*}/lib.sh"

promptly

fpm=$(compgen -G '/usr/sbin/php-fpm8.[24]' | tail -n 1)
[ -n "$fpm" ] || skip_all "not installed: php-fpm, 8.2 or 8.4"
cd "$work" || exit 1
chmod 755 "$work"
requests=300

# Each page writes 77 bytes once, on the line where it prints its stack.  The workers run as another user.
mkdir pages
cat >pages/index.php <<'END'
<?php
require __DIR__ . '/shop.php';
$shop = new Shop(fopen('/dev/null', 'w'));
echo $shop->serve(), "\n";
END
cat >pages/shop.php <<'END'
<?php
abstract class Store {
	function __construct(protected $file) { }
	static function where() {
		$list = [];
		$t = debug_backtrace();
		for ($i = 1; $i <= count($t); $i++) {
			$name = $t[$i]['function'] ?? '{main}';
			if (isset($t[$i]['class']))
				$name = $t[$i]['class'] . '::' . $name;
			$list[] = isset($t[$i - 1]['file']) ? $t[$i - 1]['file'] . ":$name:" . $t[$i - 1]['line'] : "[internal]:$name";
		}
		return implode('|', $list);
	}
}
class Shop extends Store {
	private $shown = '';
	function serve() {
		$prices = array_map(fn($i) => $this->price($i), range(1, 100));
		usort($prices, function ($a, $b) {
			return $a - $b;
		});
		foreach ($this->some($prices) as $price)
			$this->save($price);
		return $this->shown . '#' . opcache_get_status(false)['jit']['buffer_free'];
	}
	private function price($i) {
		$sum = 0;
		for ($k = 0; $k < 1000; $k++)
			$sum += ($i * $k) % 7;
		return $sum;
	}
	private function some($prices) {
		foreach ($prices as $i => $price)
			if ($i == 50)
				yield $price;
	}
	function save($price) {
		$this->shown = parent::where(); fwrite($this->file, str_repeat('x', 77));
	}
}
END
cat >fpm.conf <<END
[global]
error_log = $work/fpm.log
[www]
user = nobody
group = nogroup
listen = $work/fpm.sock
listen.mode = 0666
pm = static
pm.max_children = 2
END
cat >nginx.conf <<END
daemon off;
user root;
pid $work/nginx.pid;
error_log $work/nginx.log;
events {}
http { access_log off; server { listen unix:$work/nginx.sock; location / {
	fastcgi_param SCRIPT_FILENAME $work/pages/index.php; fastcgi_param REQUEST_METHOD GET; fastcgi_pass unix:$work/fpm.sock;
} } }
END
"$fpm" -n -d zend_extension=opcache.so -d opcache.jit_buffer_size=16M -d opcache.jit=tracing -d opcache.jit_hot_loop=5 \
	-d opcache.jit_hot_func=5 -F -y fpm.conf >fpm.out 2>&1 &
fpm_pid=$!
own_pids+=("$fpm_pid")
nginx -e "$work/nginx.log" -c "$work/nginx.conf" &
own_pids+=($!)

# load N: requests the page N times.
load() {
	curl -s --max-time 20 --unix-socket "$work/nginx.sock" "http://localhost/[1-$1]"
}

answers() {
	load 1 | grep -q '{main}'
}
wait_for 20 answers
read -r -a workers <"/proc/$fpm_pid/task/$fpm_pid/children"
is ${#workers[@]} 2 "PHP-FPM has its workers"
load 20 | sed 's/.*#//' >free
ok "the compiler runs" test "$(tail -n 1 free)" -lt $((16 << 20)) || note_file free free

dtrace_start -q -p "${workers[0]}" -p "${workers[1]}" -n "syscall::write:entry /ppid == $fpm_pid && arg2 == 77/ { @[langstack()] = count(); }
	syscall::write:entry /ppid == $fpm_pid && arg2 == 77/ { @mixed[jstack()] = count(); }
	profile-997 /ppid == $fpm_pid && arg1/ { @samples[\"samples\", langstack(1)] = count(); }
	END { printa(@); printf(\"--\n\"); printa(@mixed); printf(\"--\n\"); printa(@samples); }"
for _ in 1 2; do
	load $((requests / 2)) >"answers.$_" &
done
wait $!
wait_for 20 eval '[ "$(cat answers.* | wc -l)" = '$requests' ]'
dtrace_stop

cat answers.* | sed 's/#.*//' | sort | uniq -c >want
is "$(awk '{ print $1 }' want)" $requests "all requests have the same answer"
want=$(awk '{ print $2 }' want)
sed '/^--/,$d' "$work/out" >lang
sed '1,/^--/d; /^--/,$d' "$work/out" >mixed
sed '1,/^--/d' "$work/out" | sed '1,/^--/d' >samples
# A function can be gone before dtrace, which waits for a processor on a busy machine, reads its name.
read_names() {
	language_stacks "$1" | grep -v '(name not read)' | sort -u
}
# total FILE: prints the number of stacks, and of those with a frame whose name was not read.
total() {
	awk '/name not read/ { is_unread = 1 } /^ *[0-9]+$/ { n += $1; if (is_unread) lost += $1; is_unread = 0 }
		END { print n + 0, lost + 0 }' "$1"
}
for kind in lang mixed; do
	is "$(read_names $kind)" "[internal]:fwrite|$want" "$kind: names, lines and order"
	read -r stacks unread < <(total $kind)
	is $stacks $requests "$kind: each request"
	ok "$kind: names are read" test $((unread * 20)) -le $stacks || note "$unread of $stacks stacks without names"
done
has samples 'shop\.php:Shop::price:[0-9]' "a profile has the busy function"
read -r samples unread < <(total samples)
ok "samples: names are read" test $((unread * 50)) -le "$samples" || note "$unread of $samples samples without names"
is "$(grep -c 'signal' fpm.log)" 0 "no worker has crashed" || note_file fpm.log fpm.log
done_testing
