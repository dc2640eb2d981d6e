/** Who listens at a socket: a process, and what it serves there. */
export interface SocketServer<Process, Service> {
  readonly process: Process;
  readonly service: Service;
}

/** The Unix domain sockets of one machine, by path. A process that ends without cleaning up leaves its socket behind, and nobody answers there. */
export class UnixSockets<Process> {
  readonly #servers = new Map<string, SocketServer<Process, unknown>>();
  readonly #watchers = new Map<string, Set<() => void>>();
  readonly #directoryWatchers = new Map<string, Set<(path: string) => void>>();

  /** Makes the socket, in place of one that was there. */
  listen<Service>(path: string, server: SocketServer<Process, Service>): void {
    this.#servers.set(path, server);
    for (const onCreate of [...(this.#watchers.get(path) ?? [])]) onCreate();
    this.#tellDirectory(path);
  }

  /** What is served at a path. Like with real sockets, the caller must know what that is. */
  at<Service>(path: string): SocketServer<Process, Service> | undefined {
    return this.#servers.get(path) as SocketServer<Process, Service> | undefined;
  }

  remove(path: string): void {
    if (this.#servers.delete(path)) this.#tellDirectory(path);
  }

  /** The sockets of a directory. */
  list(directory: string): string[] {
    return [...this.#servers.keys()].filter((path) => path.startsWith(directory));
  }

  /** Removes all sockets of a directory. */
  clear(directory: string): void {
    for (const path of [...this.#servers.keys()]) if (path.startsWith(directory)) this.#servers.delete(path);
  }

  /** inotify: `onCreate` is called whenever the socket is made. Returns a function that ends it. */
  watch(path: string, onCreate: () => void): () => void {
    const watchers = this.#watchers.get(path) ?? new Set();
    this.#watchers.set(path, watchers.add(onCreate));
    return () => void watchers.delete(onCreate);
  }

  /** inotify for a directory: `onChange` is called whenever a socket in it is made or removed. Returns a function that ends it. */
  watchDirectory(directory: string, onChange: (path: string) => void): () => void {
    const watchers = this.#directoryWatchers.get(directory) ?? new Set();
    this.#directoryWatchers.set(directory, watchers.add(onChange));
    return () => void watchers.delete(onChange);
  }

  #tellDirectory(path: string): void {
    for (const [directory, watchers] of this.#directoryWatchers)
      if (path.startsWith(directory)) for (const onChange of [...watchers]) onChange(path);
  }
}
