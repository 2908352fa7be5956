import { kind, type ProblemKinds } from "./kind.ts";

/** Refusals concerning the installation. */
export const platformProblems = {
  service_unavailable: kind(
    422,
    "Услуга сейчас не предоставляется",
    "The service is not offered at present",
    "Үйлчилгээг одоогоор үзүүлэхгүй байна",
  ),
  service_not_configured: kind(
    422,
    "Выгрузка не настроена на этой установке. Обратитесь к поставщику услуги",
    "This export is not set up on this installation. Ask your provider",
    "Энэ экспорт тохируулагдаагүй байна. Үйлчилгээ үзүүлэгчид хандана уу",
  ),
  service_off: kind(
    422,
    "Услуга у компании не включена. Включите её в настройках компании",
    "The company does not have this service switched on. Switch it on in the company settings",
    "Компанид энэ үйлчилгээ идэвхгүй. Компанийн тохиргоонд идэвхжүүлнэ үү",
  ),
  demo_refused: kind(
    403,
    "Демонстрационный пользователь ничего не меняет",
    "A demonstration user cannot change anything",
    "Үзүүлэнгийн хэрэглэгч юу ч өөрчлөхгүй",
  ),
  host_taken: kind(
    409,
    "Адрес занят оформлением другой компании",
    "The design of another company has this host",
    "Энэ хаягийг өөр компанийн загвар эзэлсэн",
  ),
  simulation_off: kind(
    409,
    "Имитация приборов в этой установке выключена (METRUM_DEMO)",
    "Simulated devices are switched off in this installation (METRUM_DEMO)",
    "Энэ суурилуулалтад загварчлал унтраалттай (METRUM_DEMO)",
  ),
  simulation_full: kind(
    409,
    "Больше имитаций нет: сначала удалите одну",
    "There is no room for another simulation: remove one first",
    "Дахин загварчлал багтахгүй: эхлээд нэгийг устгана уу",
  ),
} as const satisfies ProblemKinds;
