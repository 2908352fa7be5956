/** Whether PostgreSQL refused a row because another one has its name or address (unique violation). */
export function isTaken(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "23505";
}
