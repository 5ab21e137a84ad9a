# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh
#
# http.sh: D for tools that follow HTTP/1 servers; a tool sources this file after tool.sh.
#
# A request begins when a read has its first line.  Its answer ends with the write that completes it: the head of the
# answer has the length (Content-Length), or says that there is no body.  Otherwise it ends with the last write before the
# next request or the end of the connection.

# A descriptor, or a structure of libssl, identifies a connection.
http_reads='syscall::read, syscall::recvfrom, syscall::readv, syscall::recvmsg'
http_writes='syscall::write, syscall::sendto, syscall::writev, syscall::sendmsg, syscall::sendfile'
http_ends='syscall::close:entry'

# each PROBES NAME: prints the probes with this name: "syscall::read:entry, syscall::readv:entry".
each() {
	printf %s "$1" | sed "s/,/:$2,/g; s/\$/:$2/"
}

# http_program SHOW: prints D that runs SHOW at the end of each answer.  SHOW uses this->method, this->url, this->status,
# this->bytes (0 if the length is unknown) and this->time (nanoseconds).  `ours` decides whether a process is a server.  With
# -p or a command, the functions of libssl are followed, too.
http_program() {
	reads=$http_reads writes=$http_writes ends=$http_ends ssl=
	if [ "${opt_command:-}" ] || [ "${opt_p:-0}" != 0 ]; then
		ssl="pid\$target:libssl*:SSL_read, pid\$target:libssl*:SSL_write"
		reads="$reads, ${ssl%,*}" writes="$writes, ${ssl#*, }" ends="$ends, pid\$target:libssl*:SSL_free:entry"
	fi
	printf '%s\n' '
this string line, rest;
this uint64_t n, done, at, buffer, is_request;
uint64_t begun[pid_t, uint64_t], last[pid_t, uint64_t], sent[pid_t, uint64_t], whole[pid_t, uint64_t];
string asked[pid_t, uint64_t], answer[pid_t, uint64_t];

'"$(each "$http_reads, $http_writes" entry)"'
/ours/
{
	self->fd = arg0 + 1;
	self->buffer = arg1;
}

'"${ssl:+$(each "$ssl" entry) { self->ssl = arg0 + 1; self->clear = arg1; \}}"'

/* The first part of a vector. */
syscall::readv:entry, syscall::writev:entry
/ours/
{
	self->buffer = *(uintptr_t *)copyin(arg1, sizeof (uintptr_t));
}

syscall::recvmsg:entry, syscall::sendmsg:entry
/ours/
{
	self->buffer = *(uintptr_t *)copyin(*(uintptr_t *)copyin(arg1 + 16, sizeof (uintptr_t)), sizeof (uintptr_t));
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
	this->done = 0;
	this->line = 0;
	this->is_request = 0;
}

'"${ssl:+$(each "$ssl" return) {
	this->n = self->ssl && (int)arg1 > 0 ? (int)arg1 : 0;
	this->at = self->ssl;
	this->buffer = self->clear;
\}}"'

'"$(each "$reads" return)"'
/this->n/
{
	this->line = strtok(copyinstr(this->buffer, this->n < 255 ? this->n : 255), "\r\n");
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
	this->line = copyinstr(this->buffer, this->n < 1023 ? this->n : 1023);
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
	this->time = last[pid, this->at] - begun[pid, this->at];
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
}

'"$(each "$reads" return)"'
/this->is_request/
{
	begun[pid, this->at] = timestamp;
	asked[pid, this->at] = this->line;
}

'"$(each "$http_reads, $http_writes" return)"'
{
	self->fd = 0;
	self->buffer = 0;
}'"${ssl:+$(each "$ssl" return) { self->ssl = 0; self->clear = 0; \}}"
}
