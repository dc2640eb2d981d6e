/** Who listens at a socket: a process, and what it serves there. */
export interface SocketServer<Process, Service> {
  readonly process: Process;
  readonly service: Service;
}

/** The Unix domain sockets of one machine, by path. A process that ends without cleaning up leaves its socket behind, and nobody answers there. */
export class UnixSockets<Process> {
  readonly #servers = new Map<string, SocketServer<Process, unknown>>();
  readonly #watchers = new Map<string, Set<() => void>>();

  /** Makes the socket, in place of one that was there. */
  listen<Service>(path: string, server: SocketServer<Process, Service>): void {
    this.#servers.set(path, server);
    for (const onCreate of [...(this.#watchers.get(path) ?? [])]) onCreate();
  }

  /** What is served at a path. Like with real sockets, the caller must know what that is. */
  at<Service>(path: string): SocketServer<Process, Service> | undefined {
    return this.#servers.get(path) as SocketServer<Process, Service> | undefined;
  }

  remove(path: string): void {
    this.#servers.delete(path);
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
}
