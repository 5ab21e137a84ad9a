# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh
#
# http.sh: D for tools that follow HTTP/1 servers; a tool sources this file after tool.sh.
#
# A request begins when a read has its first line.  Its answer ends with the write that completes it: the head of the
# answer has the length (Content-Length), or says that there is no body.  Otherwise it ends with the last write before the
# next request or the end of the connection.

# The kernel puts the request into the socket when the segment arrives, and the server reads it later: the time between is
# the wait.  A socket keeps the arrival of the oldest segment since the last read.
#
# A descriptor, or a structure of libssl, identifies a connection.
http_reads='syscall::read, syscall::recvfrom, syscall::readv, syscall::recvmsg'
http_writes='syscall::write, syscall::sendto, syscall::writev, syscall::sendmsg, syscall::sendfile'
http_ends='syscall::close:entry'

# each PROBES NAME: prints the probes with this name: "syscall::read:entry, syscall::readv:entry".
each() {
	printf %s "$1" | sed "s/,/:$2,/g; s/\$/:$2/"
}

# http_program SHOW: prints D that runs SHOW at the end of each answer.  SHOW uses this->method, this->url, this->status,
# this->bytes (0 if the length is unknown), this->time (nanoseconds, with the wait) and this->wait.  `ours` decides whether a process is a server.  With
# -p or a command, the functions of libssl are followed, too.
http_program() {
	reads=$http_reads writes=$http_writes ends=$http_ends ssl=
	if [ "${opt_command:-}" ] || [ "${opt_p:-0}" != 0 ]; then
		ssl="pid\$target:libssl*:SSL_read, pid\$target:libssl*:SSL_write"
		reads="$reads, ${ssl%,*}" writes="$writes, ${ssl#*, }" ends="$ends, pid\$target:libssl*:SSL_free:entry"
	fi
	printf '%s\n' '
this string line, rest;
this uint64_t n, done, at, buffer, room, is_request;
self uint64_t arrived;
uint64_t arrival[uint64_t], wait[pid_t, uint64_t];
uint64_t begun[pid_t, uint64_t], last[pid_t, uint64_t], sent[pid_t, uint64_t], whole[pid_t, uint64_t];
string asked[pid_t, uint64_t], answer[pid_t, uint64_t];

'"$(each "$http_reads, $http_writes" entry)"'
/ours/
{
	self->fd = arg0 + 1;
	self->buffer = arg1;
}

/* A read that leaves the data in the socket. */
syscall::recvfrom:entry, syscall::recvmsg:entry
/(probefunc == "recvmsg" ? arg2 : arg3) & 2/
{
	self->fd = 0;
}

'"${ssl:+$(each "$ssl" entry) { self->ssl = arg0 + 1; self->clear = arg1; \}}"'

/* Segments with data that arrive at sockets; a segment that the kernel refuses has no socket. */
tcp:::receive
/args[1]->cs_addr && args[2]->ip_plength > args[4]->tcp_offset && !arrival[args[1]->cs_addr]/
{
	arrival[args[1]->cs_addr] = timestamp;
}

rawtp:::tcp_rcv_space_adjust
/self->fd'"${ssl:+ || self->ssl}"'/
{
	self->arrived = self->arrived ? self->arrived : arrival[(uint64_t)arg0];
	arrival[(uint64_t)arg0] = 0;
}

rawtp:::tcp_destroy_sock
{
	arrival[(uint64_t)arg0] = 0;
}

syscall::readv:entry, syscall::writev:entry
/ours/
{
	self->buffer = 0;
	self->vector = arg1;
	self->parts = arg2;
}

syscall::recvmsg:entry, syscall::sendmsg:entry
/ours/
{
	self->buffer = 0;
	self->message = arg1;
}

syscall::sendfile:entry
{
	self->buffer = 0;
}

'"$(each "$reads, $writes" return)"', '"$ends"'
{
	this->n = self->fd && (int64_t)arg1 > 0 ? arg1 : 0;
	this->at = self->fd;
	this->buffer = self->buffer;
	this->room = this->n;
	this->done = 0;
	this->line = 0;
	this->is_request = 0;
}

/* After a call that moved bytes, its vector is readable.  The text is in the first part that is not empty. */
syscall::recvmsg:return, syscall::sendmsg:return
/this->n/
{
	self->vector = *(uintptr_t *)copyin(self->message + 16, sizeof (uintptr_t));
	self->parts = *(uint64_t *)copyin(self->message + 24, sizeof (uint64_t));
}

'"$(for i in 0 1 2 3; do echo "syscall::readv:return, syscall::writev:return, syscall::recvmsg:return, syscall::sendmsg:return
/this->n && !this->buffer && self->parts > $i/
{
	this->part = (uint64_t *)copyin(self->vector + $((16 * i)), 16);
	this->buffer = this->part[1] ? this->part[0] : 0;
	this->room = this->part[1] < this->n ? this->part[1] : this->n;
}
"; done)"'

'"${ssl:+$(each "$ssl" return) {
	this->n = self->ssl && (int)arg1 > 0 ? (int)arg1 : 0;
	this->at = self->ssl;
	this->buffer = self->clear;
	this->room = this->n;
\}}"'

'"$(each "$reads" return)"'
/this->n && this->buffer/
{
	this->line = strtok(copyinstr(this->buffer, this->room < 255 ? this->room : 255), "\r\n");
	this->is_request = this->line != NULL && strstr(this->line, " HTTP/1.") != NULL && index(this->line, " ") < 12;
}

'"$ends"'
/ours/
{
	this->at = arg0 + 1;
	this->is_request = 1;
}

/* A new request, or the end of the connection, ends an answer without a length. */
'"$(each "$reads" return)"', '"$ends"'
/this->is_request && begun[pid, this->at] && last[pid, this->at]/
{
	this->done = 1;
}

'"$(each "$writes" return)"'
/this->n && begun[pid, this->at]/
{
	last[pid, this->at] = timestamp;
	sent[pid, this->at] += this->n;
}

'"$(each "$writes" return)"'
/this->n && begun[pid, this->at] && answer[pid, this->at] == NULL && this->buffer/
{
	this->line = copyinstr(this->buffer, this->room < 1023 ? this->room : 1023);
}

/* "HTTP/1.1 200 OK"; 1xx precedes the answer. */
'"$(each "$writes" return)"'
/this->line != NULL && index(this->line, "HTTP/1.") == 0 && substr(this->line, 9, 1) != "1"/
{
	answer[pid, this->at] = substr(this->line, 9, 3);
	this->head = index(this->line, "\r\n\r\n");
	this->rest = strstr(this->line, "\r\nContent-Length: ");
	this->rest = this->rest == NULL ? strstr(this->line, "\r\nContent-length: ") : this->rest;
	this->rest = this->rest == NULL ? strstr(this->line, "\r\ncontent-length: ") : this->rest;
	this->has_none = answer[pid, this->at] == "304" || answer[pid, this->at] == "204" ||
	    index(asked[pid, this->at], "HEAD ") == 0;
	whole[pid, this->at] = this->head < 0 ? 0 : this->has_none ? this->head + 4 : this->rest == NULL ? 0 :
	    this->head + 4 + strtoll(substr(this->rest, 18));
}

'"$(each "$writes" return)"'
/this->n && whole[pid, this->at] && sent[pid, this->at] >= whole[pid, this->at]/
{
	this->done = 1;
}

'"$(each "$reads, $writes" return)"', '"$ends"'
/this->done/
{
	this->method = strtok(asked[pid, this->at], " ");
	this->url = strtok(NULL, " ");
	this->status = answer[pid, this->at] == NULL ? "-" : answer[pid, this->at];
	this->bytes = sent[pid, this->at];
	this->wait = wait[pid, this->at];
	this->time = last[pid, this->at] - begun[pid, this->at] + this->wait;
	'"$1"'
}

'"$(each "$reads, $writes" return)"', '"$ends"'
/this->done || (this->is_request && begun[pid, this->at])/
{
	begun[pid, this->at] = 0;
	asked[pid, this->at] = 0;
	answer[pid, this->at] = 0;
	last[pid, this->at] = 0;
	sent[pid, this->at] = 0;
	whole[pid, this->at] = 0;
	wait[pid, this->at] = 0;
}

'"$(each "$reads" return)"'
/this->is_request/
{
	begun[pid, this->at] = timestamp;
	wait[pid, this->at] = self->arrived ? timestamp - self->arrived : 0;
	asked[pid, this->at] = this->line;
}

'"$(each "$http_reads, $http_writes" return)"'
{
	self->fd = 0;
	self->buffer = 0;
	self->vector = 0;
	self->parts = 0;
	self->message = 0;
}

'"$(each "$http_reads" return)"'
'"${ssl:+/!self->ssl/}"'
{
	self->arrived = 0;
}'"${ssl:+$(each "$ssl" return) { self->ssl = 0; self->clear = 0; self->arrived = 0; \}}"
}
