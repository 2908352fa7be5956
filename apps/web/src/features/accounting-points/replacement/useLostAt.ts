import { useSyncExternalStore } from "react";
import { connection } from "#lib/connection";

/** Since when the server is not reachable; null while it is. */
export const useLostAt = (): number | null => useSyncExternalStore(connection.subscribe, connection.lostAt);
