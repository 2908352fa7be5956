import { companies, consumers, users } from "@metrum/contract/access";
import { accountingPoints, objects } from "@metrum/contract/accounting";
import type { Call, InputOf, ReplyOf } from "@metrum/contract/core";
import { devices, gateways } from "@metrum/contract/metering";
import { useEffect, useState } from "react";
import { useCall } from "#lib/call";
import { deviceHref, gatewayHref, nodeHref, pointCardHref } from "#lib/screen";
import { useAllowed, useSession } from "#lib/session";
import type { Entry } from "./results.ts";

interface Found {
  readonly entries: readonly Entry[];
  readonly isAsking: boolean;
  /** Pending requests may still bring matches. */
  readonly hasFailed: boolean;
}

/** Letters come faster than answers: only a text that has stood so long is searched. */
const settledMs = 100;
const leastLetters = 2;

/**
 * Things of the company that the server finds. No requests that the rights would refuse, nor for a single letter. A
 * group is shown once those before it are, so that no line moves that Enter may take.
 */
export function useFound(typed: string): Found {
  const search = useSettled(typed);
  const { company } = useSession();
  const page = { body: { page: 1, per_page: 10, search_string: search } };
  const isAsked = search.length >= leastLetters;
  const found = [
    useEntriesOf(devices.list, page, isAsked, ofDevices),
    useEntriesOf(gateways.list, page, isAsked, ofGateways),
    useEntriesOf(objects.buildTree, nodesOf(search), isAsked, ofObjects),
    useEntriesOf(accountingPoints.companyList, page, isAsked, ofPoints),
    useEntriesOf(consumers.list, page, isAsked, ofConsumers),
    useEntriesOf(companies.list, page, isAsked && company.is_dealer, ofCompanies),
    useEntriesOf(users.list, page, isAsked, ofUsers),
  ];
  // What is shown is of the text that stands there: Enter may follow the last letter at once.
  const isAnswered = isAsked && search === typed;
  const waiting = found.findIndex((each) => each.isAsking);
  return {
    isAsking: typed.length >= leastLetters && (search !== typed || waiting >= 0),
    hasFailed: isAnswered && found.some((each) => each.hasFailed),
    entries: isAnswered
      ? found.slice(0, waiting < 0 ? undefined : waiting).flatMap((each) => each.entries)
      : [],
  };
}

const nodesOf = (search: string) => ({ body: { search_string: search, with_descendants: false } });

function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), settledMs);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}

function useEntriesOf<C extends Call>(
  call: C,
  input: InputOf<C>,
  isAsked: boolean,
  entriesOf: (reply: ReplyOf<C>) => readonly Entry[],
): Found {
  const isEnabled = useAllowed(call.right ?? null) && isAsked;
  const { data, isLoading, isError } = useCall(call, input, { isQuiet: true, freshMs: 60_000, isEnabled });
  return { entries: data && isEnabled ? entriesOf(data) : [], isAsking: isLoading, hasFailed: isError };
}

const joined = (...parts: readonly (string | null | undefined)[]): string => parts.filter(Boolean).join(", ");

const ofDevices = ({ metering_devices }: ReplyOf<typeof devices.list>): readonly Entry[] =>
  metering_devices.data.flatMap(({ id, name, deviceID, model_title }) =>
    id === undefined
      ? []
      : {
          id: `device.${String(id)}`,
          group: "devices",
          title: name ?? deviceID ?? String(id),
          text: joined(deviceID, model_title),
          icon: "devices",
          href: deviceHref(id),
        },
  );

const ofGateways = ({ gateways: found }: ReplyOf<typeof gateways.list>): readonly Entry[] =>
  found.data.map(({ id, name, device_id, model_title }) => ({
    id: `gateway.${String(id)}`,
    group: "gateways",
    title: name,
    text: joined(device_id, model_title),
    icon: "gateway",
    href: gatewayHref(id),
  }));

/** Nodes that were found, with the one above each. */
function ofObjects({ tree }: ReplyOf<typeof objects.buildTree>): readonly Entry[] {
  const names = new Map(tree.map(({ _id, name }) => [_id, name]));
  return tree
    .filter(({ is_found }) => is_found)
    .slice(0, 10)
    .map(({ _id, name, parentId }) => ({
      id: `object.${_id}`,
      group: "objects",
      title: name,
      text: names.get(parentId ?? "") ?? "",
      icon: "objects",
      href: nodeHref(_id),
    }));
}

const ofPoints = ({ accounting_points }: ReplyOf<typeof accountingPoints.companyList>): readonly Entry[] =>
  accounting_points.data.map(({ id, name, address_short, device_id, device }) => ({
    id: `point.${String(id)}`,
    group: "points",
    title: name,
    text: joined(address_short, device?.deviceID),
    icon: "objects",
    href: pointCardHref(id, device_id),
  }));

const ofConsumers = ({ consumers: found }: ReplyOf<typeof consumers.list>): readonly Entry[] =>
  found.data.map(({ _id, name, number_of_contract, inn }) => ({
    id: `consumer.${_id}`,
    group: "consumers",
    title: name,
    text: joined(number_of_contract, inn),
    icon: "directories",
    href: `#/cloud/directories/consumers?q=${encodeURIComponent(name)}`,
  }));

const ofCompanies = ({ companies: found }: ReplyOf<typeof companies.list>): readonly Entry[] =>
  found.data.map(({ id, name, inn }) => ({
    id: `company.${String(id)}`,
    group: "companies",
    title: name,
    text: inn,
    icon: "companies",
    href: `#/cloud/companies?q=${encodeURIComponent(name)}`,
  }));

const ofUsers = ({ users: found }: ReplyOf<typeof users.list>): readonly Entry[] =>
  found.map(({ id, name, email }) => ({
    id: `user.${String(id)}`,
    group: "users",
    title: name,
    text: email,
    icon: "users",
    href: `#/cloud/users?q=${encodeURIComponent(email)}`,
  }));
