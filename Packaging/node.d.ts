// The little of Node that Documentation/Examples uses: its types are in no package of Debian.

declare module 'node:crypto' {
  export function randomBytes(count: number): { toString(encoding: 'hex'): string };
}
declare module 'node:fs/promises' {
  export function readFile(path: string): Promise<Uint8Array>;
}
declare module 'node:path' {
  export function extname(path: string): string;
  export function join(...paths: string[]): string;
  export function normalize(path: string): string;
}
declare module 'node:url' {
  export function fileURLToPath(url: URL): string;
}
declare module 'node:http' {
  export interface IncomingMessage extends AsyncIterable<{ toString(): string }> {
    url: string;
    method: string;
  }
  export interface ServerResponse {
    readonly headersSent: boolean;
    writeHead(status: number, headers?: Record<string, string>): this;
    write(text: string): boolean;
    end(body?: Uint8Array | string): void;
    on(event: 'close', listener: () => void): this;
  }
  export interface Server {
    listen(port: number, host: string, callback: () => void): void;
    address(): { port: number };
  }
  export function createServer(answer: (request: IncomingMessage, response: ServerResponse) => void): Server;
}
declare var process: { argv: string[] };
