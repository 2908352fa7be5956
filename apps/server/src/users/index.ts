import type { Domain } from "#core";
import { serveUsers } from "./calls.ts";

export { createFirstAdmin } from "./firstAdmin.ts";
export { demoPassword, seedAccounts } from "./demo.ts";
export { isPassword } from "./passwords.ts";
export { accountOf, noteSignIn, type UserRow } from "./store.ts";

export const users: Domain = { name: "users", calls: serveUsers };
