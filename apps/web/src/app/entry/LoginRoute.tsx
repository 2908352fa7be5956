import { useLoaderData, useNavigate } from "@tanstack/react-router";
import { plainOffer } from "#auth";
import { LoginPage } from "../../features/auth/LoginPage.tsx";
import { takeReturn } from "../address.ts";
import { noteArrival } from "./arrival.ts";
import { loginNotice, setLoginNotice } from "../loginNotice.ts";

/** After signing in: the requested link, else the shell. */
export function LoginRoute() {
  // Two addresses show this page, so its route is not named.
  const site = { ...plainOffer, ...useLoaderData({ strict: false }) };
  const navigate = useNavigate();
  const enter = () => {
    setLoginNotice(null);
    noteArrival();
    return navigate({ href: takeReturn(), replace: true });
  };
  return <LoginPage site={site} notice={loginNotice()} onSignedIn={enter} />;
}
