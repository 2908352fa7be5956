import pg from "pg";
import { sqlStates } from "./sqlState.ts";

/** Classes of SQLSTATE that speak of the data of the statement: wrong value, broken constraint, larger than a limit of the program. */
const dataClasses = /^(?:22|23|54)/;

/** Whether the database refused a statement for what it was given, and will refuse it again however often it is repeated. */
export function isDataFault(error: unknown): boolean {
  return error instanceof pg.DatabaseError && dataClasses.test(error.code ?? "") && !lacksPartition(error);
}

/** A row whose partition is not made yet, or was just dropped: the same code as a broken check, which names its constraint. */
function lacksPartition({ code, constraint }: pg.DatabaseError): boolean {
  return code === sqlStates.checkViolation && constraint === undefined;
}

/**
 * Whether a message can never be taken, as far as anybody can tell: the database refuses its data, or the code that reads it fails on it.
 * A database that is away, a lost connection or a lock that was not got are none of its faults.
 */
export function isPoison(error: unknown): boolean {
  return (
    isDataFault(error) ||
    error instanceof TypeError ||
    error instanceof RangeError ||
    error instanceof SyntaxError
  );
}
