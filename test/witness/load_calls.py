#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
#
# load_calls.py FOLDER SEED COUNT: runs COUNT random programs in a new folder; those that are not installed are left out.
import os
import random
import shutil
import subprocess
import sys

PROGRAMS = [
    ["git", "init -q repo{n} && cd repo{n} && cp ../text . && git add text && "
            "git -c user.name=a -c user.email=a@b commit -qm one && git log --stat && git gc -q"],
    ["gcc", "gcc -O{few} -o prog{n} prog.c -lm && ./prog{n} {n}"],
    ["clang", "clang -O{few} -c -o prog{n}.o prog.c"],
    ["tar", "tar czf a{n}.tgz text prog.c && tar tzvf a{n}.tgz && tar xzf a{n}.tgz -O | wc -c"],
    ["gzip", "gzip -k{few} -c text | gunzip | md5sum"],
    ["xz", "xz -T2 -c text | xz -d | cksum"],
    ["find", "find / -maxdepth 2 -newer text -name '*{few}*' -print"],
    ["sed", "sed -i.old 's/{few}/x/g' text2; cp text text2; sed -n {n}p text2"],
    ["sort", "sort -S 1M --parallel=2 -k{few} text | uniq -c | head -{few}"],
    ["awk", "awk '{{ s += $1 }} END {{ print s }}' text"],
    ["grep", "grep -rc {few} . /nonexistent"],
    ["python3", "python3 -c 'import os, json, threading, subprocess; subprocess.run([\"true\"]); "
                "t = threading.Thread(target=os.getcwd); t.start(); t.join(); print(json.dumps([1] * {few}))'"],
    ["perl", "perl -e 'open(F, \"<text\"); @l = <F>; print scalar(@l); mkdir \"d{n}\"; rename \"d{n}\", \"e{n}\"; rmdir \"e{n}\"'"],
    ["ruby", "ruby -e 'puts File.read(\"text\").size; Thread.new {{ sleep 0.01 }}.join; puts `true`'"],
    ["node", "node -e 'require(\"fs\").readFile(\"text\", (e, d) => console.log(d.length)); setTimeout(() => {{}}, {few})'"],
    ["bash", "for i in 1 2 3; do (exit $i) & done; wait; trap 'echo caught' USR1; kill -USR1 $$; cat <text >/dev/null"],
    ["dd", "dd if=/dev/zero of=dd{n} bs={n} count={few} oflag=append conv=notrunc,fsync; truncate -s {n} dd{n}"],
    ["ls", "ls -laR . /nonexistent; stat text; df .; id; uname -a"],
    ["timeout", "timeout 0.05 sleep 1; timeout 0.05 cat /dev/zero >/dev/null"],
    ["cp", "cp -a . ../copy{n}; rm -r ../copy{n}; ln -s text link{n}; readlink link{n}; mv link{n} link; touch -d @{n} text2"],
    ["diff", "seq {n} >s1; seq {few} {n} >s2; diff s1 s2 | tail -{few}; comm -12 s1 s2 | wc -l; cmp s1 s2"],
    ["xargs", "seq 20 | xargs -n {few} -P 3 echo; env -i true; nice -n 1 true; setsid true; echo {n} | tee s3 s4"],
]


def main():
    folder, seed, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    rng = random.Random(seed)
    os.makedirs(folder + "/load")
    os.chdir(folder + "/load")
    for name in ("text", "text2"):
        with open(name, "w") as f:
            f.writelines(f"{rng.randrange(10 ** 6)} line {i}\n" for i in range(2000))
    with open("prog.c", "w") as f:
        f.write("#include <math.h>\n#include <stdio.h>\n#include <stdlib.h>\n"
                'int main(int n, char **a) { printf("%f\\n", sqrt(atoi(a[n - 1]))); return 0; }\n')
    programs = [text for name, text in PROGRAMS if shutil.which(name)]
    for _ in range(count):
        text = rng.choice(programs).format(n=rng.randrange(1, 2000), few=rng.randrange(1, 9) % 4 + 1)
        subprocess.run(["sh", "-c", text], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL, check=False)


main()
