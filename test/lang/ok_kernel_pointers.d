BEGIN { trace(curthread->real_parent->tgid); trace(stringof(curthread->group_leader->comm)); trace(((struct sock *)arg0)->__sk_common.skc_family); }
