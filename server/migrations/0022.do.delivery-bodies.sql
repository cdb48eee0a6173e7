-- The bytes of a notification stand in `notifications`, which is never changed: the queue, where each row is written and deleted within
-- milliseconds, need not carry them a second time. A claim reads them by its ids.
alter table deliveries drop column body;
