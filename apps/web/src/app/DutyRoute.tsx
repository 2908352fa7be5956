import type { Duty } from "@metrum/contract";
import { useLoaderData, useNavigate } from "@tanstack/react-router";
import { queryClient } from "#lib/call";
import { DutyPage } from "../features/profile/DutyPage.tsx";
import { takeReturn } from "./address.ts";

/** What has to be done first; then the link that was asked for, else the shell. */
export function DutyRoute() {
  const { duty, email }: { readonly duty: Duty; readonly email: string } = useLoaderData({ from: "/duty" });
  const navigate = useNavigate();
  const onDone = () => {
    // Rights and duty are asked anew.
    queryClient.clear();
    void navigate({ href: takeReturn(), replace: true });
  };
  return <DutyPage duty={duty} email={email} onDone={onDone} />;
}
