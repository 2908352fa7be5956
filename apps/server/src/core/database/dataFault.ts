import pg from "pg";
import { sqlStates } from "./sqlState.ts";

/**
 * SQLSTATE classes caused by the data of the statement: invalid value, violated constraint, program limit
 * exceeded.
 */
const dataClasses = /^(?:22|23|54)/;

/** Whether the database refused a statement because of its data, so that repeating it is pointless. */
export function isDataFault(error: unknown): boolean {
  return error instanceof pg.DatabaseError && dataClasses.test(error.code ?? "") && !lacksPartition(error);
}

/**
 * A row whose partition does not exist yet, or was just dropped: same code as a violated check, which names
 * its constraint.
 */
function lacksPartition({ code, constraint }: pg.DatabaseError): boolean {
  return code === sqlStates.checkViolation && constraint === undefined;
}

/** Whether a transaction was rolled back in favour of another that waited for it: the same may succeed at once. */
export const isDeadlock = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code === sqlStates.deadlock;

/**
 * Whether a message can never be accepted: the database refuses its data, or the code that reads it fails on
 * it. An unavailable database, a lost connection or a lock not acquired are not faults of the message.
 */
export function isPoison(error: unknown): boolean {
  return (
    isDataFault(error) ||
    error instanceof TypeError ||
    error instanceof RangeError ||
    error instanceof SyntaxError
  );
}
