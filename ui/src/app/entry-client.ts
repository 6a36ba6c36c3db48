import { start } from "./start";

// The boot script waits for it.
await start();
