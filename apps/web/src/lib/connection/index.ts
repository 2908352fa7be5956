export { checkServer, connection, noteLost, noteReached, watchNetwork } from "./connection.ts";
