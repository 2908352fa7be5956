/** Opens the port of a setting. Errors: Error that names both. */
export async function named<Result>(
  setting: string,
  port: number,
  open: () => Promise<Result>,
): Promise<Result> {
  try {
    return await open();
  } catch (cause) {
    throw new Error(`port ${String(port)} of ${setting} cannot be opened`, { cause });
  }
}
