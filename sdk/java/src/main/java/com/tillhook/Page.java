package com.tillhook;

import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** A page of results. */
public abstract class Page<T> extends Model {
  /** Set by the client that fetched this page. */
  Supplier<Optional<Page<T>>> next = Optional::empty;

  protected Page(Map<String, ?> fields) {
    super(fields);
  }

  /** The items of this page. */
  public abstract List<T> items();

  /** Every item from this page on, over all pages that follow. Each page is fetched when the iteration arrives there. */
  public Iterable<T> each() {
    return () -> new Walk<>(this);
  }

  /** {@link #each()} as a stream. */
  public Stream<T> stream() {
    return StreamSupport.stream(each().spliterator(), false);
  }

  private static final class Walk<T> implements Iterator<T> {
    private Page<T> page;
    private Iterator<T> items;

    Walk(Page<T> page) {
      this.page = page;
      items = page.items().iterator();
    }

    @Override public boolean hasNext() {
      while (!items.hasNext() && page != null) {
        page = page.next.get().orElse(null);
        if (page != null) items = page.items().iterator();
      }
      return items.hasNext();
    }

    @Override public T next() {
      if (!hasNext()) throw new NoSuchElementException();
      return items.next();
    }
  }
}
