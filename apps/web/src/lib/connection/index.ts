export { connection, noteLost, noteReached, watchNetwork } from "./connection.ts";
