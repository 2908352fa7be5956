import pg from "pg";

/** SQLSTATE codes that the code handles. */
export const sqlStates = {
  uniqueViolation: "23505",
  checkViolation: "23514",
  exclusionViolation: "23P01",
  serializationFailure: "40001",
  deadlock: "40P01",
  lockNotAvailable: "55P03",
  inFailedTransaction: "25P02",
} as const;

/** The code with which PostgreSQL has refused a statement; undefined for every other error. */
export function sqlStateOf(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.code : undefined;
}

/** Whether a row was refused because another one has its key; of this constraint, where one is named. */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  if (!(error instanceof pg.DatabaseError) || error.code !== sqlStates.uniqueViolation) return false;
  return constraint === undefined || error.constraint === constraint;
}

/** Whether a row was refused because it overlaps another one. */
export const isExclusionViolation = (error: unknown): boolean =>
  sqlStateOf(error) === sqlStates.exclusionViolation;
