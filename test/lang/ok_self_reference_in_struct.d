struct list { struct list *next; int v; };
struct list *head;
BEGIN { trace(head->next->next->v); }
