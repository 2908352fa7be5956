import { auth } from "@metrum/contract";
import { send } from "#lib/call";
import { reloadAt, returnFromEntered, startSession } from "#lib/token";

/**
 * Leaves the company or account that was entered: a company below the own one for the list of companies, what was entered
 * from the administration for that page. The page is loaded anew. Errors: ApiError, which the snackbar shows.
 */
export async function leaveEntered(): Promise<void> {
  const { access_token } = await send(auth.exitCompany, { body: { exit_point: "/cloud/companies" } });
  if (access_token !== null) {
    startSession(access_token);
    reloadAt("#/cloud/companies");
  } else if (!returnFromEntered()) reloadAt("#/cloud");
}
