import type { Duty } from "@metrum/contract/core";
import { useLoaderData, useNavigate } from "@tanstack/react-router";
import { queryClient } from "#lib/call";
import { DutyPage } from "../../features/profile/DutyPage.tsx";
import { takeReturn } from "../address.ts";

/** A duty to be fulfilled first; then the requested link, else the shell. */
export function DutyRoute() {
  const { duty, email }: { readonly duty: Duty; readonly email: string } = useLoaderData({ from: "/duty" });
  const navigate = useNavigate();
  const onDone = () => {
    // Reload rights and duty.
    queryClient.clear();
    void navigate({ href: takeReturn(), replace: true });
  };
  return <DutyPage duty={duty} email={email} onDone={onDone} />;
}
