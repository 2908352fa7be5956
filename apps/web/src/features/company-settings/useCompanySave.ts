import { companies, currentCompany, type CompanyFields } from "@metrum/contract";
import { useState } from "react";
import { ApiError, exchange, refetch } from "#lib/call";
import { snack } from "#ui/snackbar";

/** Saves fields of the own company. Wrong ones are named by the form, everything else by the call itself. */
export function useCompanySave() {
  const [isSaving, setSaving] = useState(false);
  const [errors, setErrors] = useState<Readonly<Record<string, readonly string[]>>>({});
  const save = async (body: CompanyFields): Promise<boolean> => {
    setSaving(true);
    setErrors({});
    try {
      snack((await exchange(companies.update, { body })).msg);
      await refetch(currentCompany.own);
      return true;
    } catch (error) {
      if (error instanceof ApiError) setErrors(error.attributes);
      return false;
    } finally {
      setSaving(false);
    }
  };
  const errorOf = (field: string): string | undefined => errors[field]?.join(". ");
  return { save, isSaving, errorOf };
}
