import { companies, type Company, type CompanyInTree } from "@metrum/contract/access";
import { refetch, useCall } from "#lib/call";
import { useSession } from "#lib/session";
import { defineRecord, RecordDialog, rowsOf } from "#ui/record";
import { bodyOf, draftOf, type Draft } from "./draft.ts";
import { ModuleList } from "./ModuleList.tsx";

interface Given {
  /** The company above. */
  readonly parent: Pick<Company, "id" | "name" | "active_modules" | "timezone_name">;
}

interface Props extends Given {
  /** The company to change; without it a company is created below `parent`. */
  readonly company: CompanyInTree | null;
  readonly onClose: () => void;
}

/** Settings decided by the company above: names, zone, expiry, type, modules in their order. */
export const CompanyDialog = ({ company, parent, onClose }: Props) => (
  <RecordDialog form={companyForm} record={company} given={{ parent }} onClose={onClose} />
);

const useAsked = () => ({
  isStaff: useSession().access.is_platform,
  types: useCall(companies.types, {}, { freshMs: 3_600_000 }).data?.company_types ?? [],
});
type Asked = ReturnType<typeof useAsked>;

const { text, phone, day, zone, select, toggle, own, group, section, where } = rowsOf<Draft, Given & Asked>();

const companyForm = defineRecord<CompanyInTree, Draft, Given, Asked>()({
  texts: ["companies"],
  titles: "form",
  size: 618,
  className: "company-form",
  title: (of, t, { parent }) =>
    of ? t("form.edit", { name: of.name }) : t("form.add", { name: parent.name }),
  values: (of, { parent }) => draftOf(of, parent),
  useAsked,
  required: ["name"],
  names: { expires_at: "until", active_modules: "modules" },
  words: (code, _, t) => (code === "required" ? t("form.nameNeeded") : undefined),
  rows: [
    text("name", { most: 255, isFirst: true }),
    group(
      "company-pair",
      select("company_type_id", ({ types }) => types.map(({ id, title }) => ({ of: String(id), title })), {
        title: "form.type",
      }),
      text("inn", { most: 20, inputMode: "numeric" }),
      phone("phone_number", { title: "form.phone" }),
      day("until", { hint: "form.untilHint" }),
    ),
    zone("timezone_name", { title: "form.zone", hint: "form.zoneHint" }),
    section(
      "form.kind",
      "company-kinds",
      ...[toggle("is_dealer"), toggle("only_api")],
      ...where((_, { isStaff }) => isStaff, toggle("is_demo")),
    ),
    own("modules", ({ value, onValue, error }, { values }, { parent }) => (
      <ModuleList
        offered={parent.active_modules}
        isDealer={values.is_dealer}
        {...{ value, onValue, error }}
      />
    )),
  ],
  body: (draft, of, { isStaff }) => bodyOf(draft, isStaff, of),
  add: (body, ask, { parent }) => ask(companies.create, { body: { ...body, parent_id: parent.id } }),
  change: ({ id }, changed, ask) => ask(companies.editById, { params: { id: String(id) }, body: changed }),
  refresh: () => refetch(companies.list),
});
