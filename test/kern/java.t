#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# java.t: frames of Java between native frames, compared with the stacks that the program prints.
#
# guests: none
# needs: java javac
. "${0%/*}/lib.sh"

[ "$(uname -m)" = x86_64 ] || skip_all "another processor"
type -P java >/dev/null && type -P javac >/dev/null || skip_all "no Java"
version=$(java -XshowSettings:properties -version 2>&1 | sed -n 's/^ *java\.specification\.version = //p')
case $version in
17 | 21 | 25) ;;
*) skip_all "Java $version, whose frames are not known" ;;
esac

cat >"$work/Program.java" <<'END'
import java.io.File;
import java.util.*;
import java.util.function.*;
import java.util.stream.*;

public class Program {
	static final File nowhere = new File("/nowhere");
	static final StringBuffer want = new StringBuffer();
	static int sink;

	/* Prints its stack, and makes the traced call on the same line. */
	static void show() {
		want.append(where(Thread.currentThread().getStackTrace())); nowhere.renameTo(nowhere);
	}

	static String where(StackTraceElement[] stack) {
		StringBuilder b = new StringBuilder("where ");
		for (int i = 1; i < stack.length; i++) {
			StackTraceElement e = stack[i];
			String func = e.getClassName().replaceAll("/0x.*", "") + "." + e.getMethodName();
			b.append(i > 1 ? "|" : "");
			if (e.isNativeMethod() || e.getFileName() == null)
				b.append("[internal]:" + func);
			else
				b.append(e.getFileName() + ":" + func + ":" + Math.max(e.getLineNumber(), 0));
		}
		return b.append("\n").toString();
	}

	interface Shape {
		int area(int n);
		default int twice(int n) {
			return 2 * area(n);
		}
	}

	static class Square implements Shape {
		public int area(int n) {
			if (n % 5000 == 4999)
				show();
			return n * n;
		}
	}

	static class Circle implements Shape {
		public int area(int n) {
			return 3 * n * n +
				helper(n);
		}
		private static int helper(int n) {
			if (n % 5000 == 4998)
				show();
			return n / 3;
		}
	}

	static class Late {
		static int value;
		static {
			show();
			value = 7;
		}
		Late() {
			show();
		}
	}

	static class Item implements Comparable<Item> {
		int n;
		Item(int n) {
			this.n = n;
		}
		public int compareTo(Item o) {
			if (n == 3 && o.n == 1 || n == 1 && o.n == 3)
				show();
			return Integer.compare(n, o.n);
		}
		@Override public int hashCode() {
			if (n == 5)
				show();
			return n;
		}
		@Override public boolean equals(Object o) {
			return o instanceof Item i && i.n == n;
		}
		@Override public String toString() {
			show();
			return "item" + n;
		}
	}

	static void recurse(int n) {
		if (n == 0) {
			show();
			return;
		}
		recurse(n - 1);
	}

	static synchronized void locked(int n) {
		if (n > 0)
			locked(n - 1);
		else
			synchronized (want) {
				show();
			}
	}

	static int thrower(int n) {
		try {
			if (n > 0)
				return thrower(n - 1);
			throw new IllegalStateException("x");
		} catch (IllegalStateException e) {
			show();
			if (n < 2)
				throw e;
			return n;
		} finally {
			if (n == 2)
				show();
		}
	}

	static int hot(Shape[] shapes, int rounds) {
		int sum = 0;
		for (int i = 0; i < rounds; i++)
			sum += shapes[i % shapes.length].twice(i);
		return sum;
	}

	static double mixed(int a, long b, double c, float d, Object o, int... more) {
		if (more.length == 3)
			show();
		return a + b + c + d + more.length;
	}

	static void generated(int i) {
		IntUnaryOperator f = x -> {
			if (x == 3) show();
			return x + 1;
		};
		sink += f.andThen(f).compose(f).applyAsInt(i);
	}

	static void garbage() {
		List<byte[]> l = new ArrayList<>();
		for (int i = 0; i < 200; i++)
			l.add(new byte[1 << 12]);
		System.gc();
		show();
	}

	static void all() throws Throwable {
		show();
		recurse(30);
		locked(3);
		sink += Late.value;
		new Late();
		thrower(4);
		Runnable r = Program::show;
		r.run();
		((Runnable) () -> show()).run();
		for (int i = 0; i < 5; i++)
			generated(i);
		List<Item> items = new ArrayList<>();
		for (int i = 0; i < 8; i++)
			items.add(new Item(i * 7 % 8));
		Collections.sort(items);
		items.sort(Comparator.comparing((Item i) -> { if (i.n == 6) show(); return -i.n; }));
		sink += new HashSet<>(items).size();
		String.valueOf(items.get(0));
		IntStream.range(0, 4).mapToObj(Item::new).filter(i -> { if (i.n == 2) show(); return true; }).map(i -> i.n).collect(Collectors.toList());
		items.stream().sorted().forEach(i -> { if (i.n == 4) show(); });
		Program.class.getDeclaredMethod("recurse", int.class).invoke(null, 2);
		Late.class.getDeclaredConstructor().newInstance();
		java.lang.invoke.MethodHandles.lookup().findStatic(Program.class, "recurse", java.lang.invoke.MethodType.methodType(void.class, int.class)).invokeExact(1);
		mixed(1, 2, 3, 4, "o", 1, 2, 3);
		garbage();
		for (int i = 0; i < 3; i++) {
			Thread t = new Thread(() -> recurse(5), "thread" + i);
			t.start();
			t.join();
		}
		Shape[] shapes = {new Square(), new Circle(), new Square()};
		for (int i = 0; i < 4; i++)
			sink += hot(shapes, 20000);
		garbage();
		for (int i = 0; i < 20000; i++)
			sink += (int) mixed(i, i, i, i, null);
		mixed(1, 2, 3, 4, "o", 1, 2, 3);
		Map<Integer, Integer> m = new TreeMap<>((a, b) -> { if (a == 9999) show(); return a - b; });
		for (int i = 0; i < 10000; i++)
			m.put(i, i);
		/* A class that changes what the compiler assumed. */
		shapes[2] = n -> { if (n % 9999 == 2) show(); return n; };
		sink += hot(shapes, 20000);
		thrower(3);
	}

	public static void main(String[] args) throws Throwable {
		nowhere.renameTo(nowhere);
		Thread.sleep(300);
		all();
		Thread.sleep(300);
		System.out.print(want);
		Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.print(last())));
	}

	static String last() {
		want.setLength(0);
		show();
		try {
			Thread.sleep(300);
		} catch (InterruptedException e) {
		}
		return want.toString();
	}
}
END
cat >"$work/Busy.java" <<'END'
import java.math.BigInteger;
import java.util.*;
import java.util.stream.*;

public class Busy {
	static long sink;

	static int depth(int n) {
		return n == 0 ? strings(40) : depth(n - 1) + 1;
	}

	static int strings(int n) {
		StringBuilder b = new StringBuilder();
		for (int i = 0; i < n; i++)
			b.append(i).append(' ').append((double) i / 3);
		return b.toString().split(" ").length + String.format("%d %s", n, "x").length();
	}

	static int fails(int n) {
		try {
			if (n == 0)
				throw new RuntimeException("x");
			return fails(n - 1);
		} finally {
			sink++;
		}
	}

	static long round(int i) {
		List<String> l = IntStream.range(0, 200).mapToObj(n -> "k" + (n * 31 + i) % 97).sorted(Comparator.reverseOrder()).collect(Collectors.toList());
		Map<String, Long> m = l.stream().collect(Collectors.groupingBy(s -> s, TreeMap::new, Collectors.counting()));
		double d = 0;
		for (int k = 1; k < 300; k++)
			d += Math.sin(k) * Math.pow(k, 1.1) + (int) Math.sqrt(k) + k % 7.5;
		try {
			fails(i % 20);
		} catch (RuntimeException e) {
			d++;
		}
		int[] a = new Random(i).ints(500).toArray();
		Arrays.sort(a);
		System.arraycopy(a, 0, new int[500], 0, 500);
		return m.size() + (long) d + depth(i % 10) + BigInteger.valueOf(i + 3).pow(60).mod(BigInteger.valueOf(1000003)).intValue() + System.nanoTime() % 2;
	}

	static long used() {
		return java.lang.management.ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
	}

	static void work(long time) {
		new java.io.File("/nowhere").renameTo(new java.io.File("/nowhere"));
		try {
			Thread.sleep(300);
		} catch (InterruptedException e) {
		}
		long end = used() + time * 1000000;
		for (int i = 0; used() < end; i++)
			sink += round(i);
	}

	public static void main(String[] args) throws Exception {
		Thread t = new Thread(() -> work(Long.parseLong(args[0])));
		t.start();
		t.join();
	}
}
END
javac -g -d "$work" "$work/Program.java" "$work/Busy.java" 2>"$work/err" || note_file javac "$work/err"

# shown FILE: prints the frames of Java of each stack on a line, from show() on.
shown() {
	language_stacks "$1" | sed -n 's/^.*|\(Program\.java:Program\.show:\)/\1/p'
}

# All frames, also those that Java hides: of lambdas, for instance.
java="java -XX:+UnlockDiagnosticVMOptions -XX:+ShowHiddenFrames -cp $work"
only='-XX:CompileCommand=quiet -XX:CompileCommand=compileonly,Program*.*'
for options in -XX:+UseG1GC -Xint '-XX:TieredStopAtLevel=1 -XX:+UseSerialGC' "-Xcomp $only -XX:+UseParallelGC" \
	'-XX:-TieredCompilation -XX:+UseZGC'; do
	dtrace_run -x jstackframes=300 -qn 'syscall::rename:entry /progenyof($target)/ { jstack(); }' \
		-o "$work/stacks" -c "$java $options Program"
	sed -n 's/^where //p' "$work/out" >"$work/want"
	shown "$work/stacks" >"$work/got"
	between "$(wc -l <"$work/want")" 70 90 "$options: the program makes its calls"
	is "$(cat "$work/got")" "$(cat "$work/want")" "$options: names, lines and order"
	ok "$options: the stacks go on to the start of the thread" test "$(grep -c '`start_thread+' "$work/stacks")" -ge "$(wc -l <"$work/want")"
	ok "$options: no message" test ! -s "$work/err" || note_file errors "$work/err"
	rm "$work/stacks"
done

# As keys of an aggregation, without native frames.
dtrace_run -x jstackframes=300 -qn 'syscall::rename:entry /progenyof($target)/ { @[langstack()] = count(); }' \
	-o "$work/stacks" -c "$java Program"
is "$(shown "$work/stacks" | sort -u)" "$(sed -n 's/^where //p' "$work/out" | sort -u)" "as keys, without native frames"
rm "$work/stacks"

# At any instant.  dtrace reads the files of Java after the first stack, which is not counted.
dtrace_run -x jstackframes=300 -qn '
	syscall::rename:entry /progenyof($target)/ { self->busy = has_begun = 1; @[jstack()] = count(); clear(@); }
	profile-997 /self->busy/ { jstack(); }
	profile-997 /has_begun && !self->busy && arg1 && progenyof($target)/ { @compilers[jstack()] = count(); }
	END { printf("--\n"); printa(@compilers); }' -o "$work/stacks" -c "$java Busy 1000"
awk '
	function put() {
		if (stack ~ /Busy\.work:/ && stack ~ /`start_thread\+/)
			whole++
		else if (stack != "" )
			other++
		stack = ""
	}
	/^--/ { exit }
	/^ / { stack = stack $0 "|"; next }
	{ put() }
	END { put(); print whole + 0, other + 0 }' "$work/stacks" >"$work/counts"
read -r whole other <"$work/counts"
between "$whole" 200 100000 "stacks of a busy thread lead to its start"
ok "... but for one in fifty" test "$other" -le $((whole / 50)) || note "$other others"
# Code of the virtual machine that native code calls has no frame.
sed '1,/^--/d' "$work/stacks" | awk '/^ *[0-9]+$/ { n++; if (text ~ /^ *0x[0-9a-f]+ *\|[^|]*not unwound/) print text; text = ""; next }
	NF { text = text $0 "|" } END { exit !n }' >"$work/alone"
ok "the threads that compile have stacks" test $? = 0
is "$(cat "$work/alone")" "" "... and none is an address alone"

# Classes that are unloaded after each call, so that the next ones have their addresses.
mkdir "$work/loaded"
for k in 0 1 2; do
	printf 'public class T%d implements Runnable {\n\tpublic void run() { m%d(); }\n\tpublic void m%d() { new java.io.File("/%d").renameTo(other); }\n\tstatic java.io.File other = new java.io.File("/nosuch/%d");\n}\n' \
		$k $k $k $k $k >"$work/loaded/T$k.java"
done
cat >"$work/Loads.java" <<'END'
import java.nio.file.*;
public class Loads extends ClassLoader {
	public static void main(String[] args) throws Exception {
		for (int i = 0; i < 150; i++) {
			byte[] code = Files.readAllBytes(Path.of(args[0], "T" + i * i % 7 % 3 + ".class"));
			((Runnable) new Loads().defineClass(null, code, 0, code.length).getDeclaredConstructor().newInstance()).run();
			System.gc();
		}
	}
}
END
javac -d "$work" "$work/Loads.java" && javac -d "$work/loaded" "$work"/loaded/*.java
dtrace_run -qn 'syscall::rename:entry /progenyof($target)/ { printf("call\n"); langstack(); }' -o "$work/loads" \
	-c "java -Xint -XX:+UseSerialGC -Xmx16m -cp $work Loads $work/loaded"
awk '/^call/ { if (n++) print name; name = "-" } match($0, /T[0-9]\.m[0-9]:[0-9]/) { name = substr($0, RSTART, RLENGTH) } END { print name }' \
	"$work/loads" >"$work/got"
for ((i = 0; i < 150; i++)); do echo "T$((i * i % 7 % 3)).m$((i * i % 7 % 3)):3"; done | paste - "$work/got" >"$work/both"
is "$(wc -l <"$work/got")" 150 "classes that are unloaded: each call"
is "$(awk '$1 != $2 && $2 != "-"' "$work/both" | sort | uniq -c)" "" "... with its name, or none"
between "$(awk '$1 == $2' "$work/both" | wc -l)" 50 150 "... and most have their names"
done_testing
