import { periods } from "@metrum/contract/accounting";
import type { ReplyOf } from "@metrum/contract/core";
import { pointCardHref } from "#lib/screen";
import { columnsOf, defineList, PhoneRow, type Words } from "#ui/list";
import { Status } from "#ui/status";
import { amountText, coveredText, typeTitle, unitOf } from "./periods.ts";

type Incomplete = ReplyOf<typeof periods.preview>["incomplete"]["data"][number];

const { text, status, link } = columnsOf<Incomplete>();

const stateOf = ({ has_amount }: Incomplete, { t }: Words) =>
  has_amount
    ? { kind: "warn" as const, text: t("partly") }
    : { kind: "alarm" as const, text: t("nothingKnown") };

const typeOf = ({ resource_type_id }: Incomplete, { language }: Words) =>
  typeTitle(resource_type_id, language);

/** Points of a month that lack data, worst first. */
export const incompleteList = (month: string) =>
  defineList({
    call: periods.preview,
    texts: ["periods"],
    label: "incomplete",
    empty: "allComplete",
    size: 25,
    sizes: [25, 100, 500],
    input: ({ page, size }) => ({ body: { month, page, per_page: size } }),
    answer: ({ incomplete: { data, total } }) => ({ rows: data, total }),
    rowKey: ({ point_id }: Incomplete) => String(point_id),
    href: ({ point_id }) => pointCardHref(point_id, null),
    columns: [
      link(
        "point",
        280,
        { text: ({ name }) => name, href: ({ point_id }) => pointCardHref(point_id, null) },
        {
          isName: true,
          file: "name",
        },
      ),
      text("resource", 160, typeOf, { file: "resource_type_id" }),
      status("known", 200, stateOf, { file: "has_amount" }),
      text("covered", 120, ({ covered }, words) => coveredText(covered, words), {
        align: "right",
        file: "covered",
      }),
      text(
        "estimated",
        150,
        ({ estimated, resource_type_id }, { number, language }) =>
          estimated === 0 ? null : `${amountText(estimated, number)} ${unitOf(resource_type_id, language)}`,
        { align: "right", file: "estimated" },
      ),
    ],
    phone: (row, words) => {
      const { kind, text: said } = stateOf(row, words);
      return (
        <PhoneRow
          title={row.name}
          aside={coveredText(row.covered, words)}
          line={typeOf(row, words)}
          more={[
            <Status key="s" kind={kind}>
              {said}
            </Status>,
          ]}
        />
      );
    },
  });
