// Global set-up of the tests that start the server as a process of its own.
export { buildServer as setup } from "./build.mjs";
