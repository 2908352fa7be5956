/** Address of the list of companies; the branding of one opens in its place. */
export const companiesAddress = "/cloud/administration/companies";

export const designAddress = (companyId: number) => `${companiesAddress}?design=${String(companyId)}`;

/** Company whose branding the address requests; null for the list. */
export function designIn(search: Readonly<Record<string, unknown>>): number | null {
  const id = Number(search["design"]);
  return Number.isSafeInteger(id) && id > 0 ? id : null;
}
