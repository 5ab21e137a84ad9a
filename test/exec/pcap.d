/* pcap() prints a packet from its frame, from its IP header or from its current layer, up to its end. */
/* @there the clauses write to memory */
#pragma D option quiet
#pragma D option pcapsize=64

BEGIN
{
	this->s = (struct sk_buff *)alloca(sizeof(struct sk_buff));
	this->b = (unsigned char *)alloca(64);
	bcopy("frame.........ip..................tcp.....data", this->b, 46);
	this->s->head = this->b;
	this->s->data = this->b + 34;
	this->s->mac_header = 0;
	this->s->network_header = 14;
	this->s->tail = 46;
	this->s->len = 12;
	pcap(this->s, PCAP_ETHER);
	pcap(this->s, PCAP_IP);
	pcap(this->s, 147);
}

/* Layers that are not known: the packet starts at the current one. */
BEGIN
{
	this->s->mac_header = 0xffff;
	pcap(this->s, PCAP_ETHER);
	this->s->network_header = 0;
	pcap(this->s, PCAP_IP);
}
