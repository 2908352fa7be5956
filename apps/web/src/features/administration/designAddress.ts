/** Where the list of companies stands; the design of one is opened over it. */
export const companiesAddress = "/cloud/administration/companies";

export const designAddress = (companyId: number) => `${companiesAddress}?design=${String(companyId)}`;

/** Number of the company whose design the address asks for; null for the list. */
export function designIn(search: Readonly<Record<string, unknown>>): number | null {
  const id = Number(search["design"]);
  return Number.isSafeInteger(id) && id > 0 ? id : null;
}
