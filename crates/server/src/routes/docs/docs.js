// Draws /api/openapi.json. Texts are set as text, never as HTML.
"use strict";

function element(name, attributes, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

const nameOf = (reference) => reference.split("/").pop();

// What a schema is called, with links to those that have names.
function type(schema) {
  if (schema === undefined) return "";
  if (schema.$ref) {
    const name = nameOf(schema.$ref);
    return element("a", { href: "#" + name }, name);
  }
  const choices = schema.oneOf ?? schema.anyOf ?? schema.allOf;
  if (choices) {
    const span = element("span", {});
    choices.forEach((choice, index) => span.append(index > 0 ? " | " : "", type(choice)));
    return span;
  }
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  if (schema.type === "array" || schema.type?.includes?.("array") === true)
    return element("span", {}, "list of ", type(schema.items ?? {}));
  if (schema.properties) return fields(schema);
  const plain = Array.isArray(schema.type) ? schema.type.join(" | ") : schema.type;
  return plain ?? "anything";
}

function fields(schema) {
  const table = element("table", {});
  const required = new Set(schema.required ?? []);
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    const mark = required.has(name) ? "" : "?";
    table.append(
      element("tr", {},
        element("td", {}, element("code", {}, name + mark)),
        element("td", {}, type(field)),
        element("td", { class: "about" }, field.description ?? "")));
  }
  return table;
}

function content(part) {
  const [kind, body] = Object.entries(part?.content ?? {})[0] ?? [];
  if (body === undefined) return null;
  return element("span", {}, type(body.schema), kind === "application/json" ? "" : ` (${kind})`);
}

function operation(path, method, details) {
  const rows = element("table", {});
  for (const parameter of details.parameters ?? [])
    rows.append(
      element("tr", {},
        element("td", {}, element("code", {}, parameter.name + (parameter.required ? "" : "?"))),
        element("td", {}, parameter.in + ", ", type(parameter.schema)),
        element("td", { class: "about" }, parameter.description ?? "")));
  const sent = content(details.requestBody);
  if (sent !== null)
    rows.append(element("tr", {}, element("td", {}, "body"), element("td", {}, sent)));
  for (const [status, answer] of Object.entries(details.responses ?? {}))
    rows.append(element("tr", {}, element("td", {}, status), element("td", {}, content(answer) ?? "")));
  const about = [details.summary, details.description].filter(Boolean).join(" ");
  return element("details", {},
    element("summary", {},
      element("span", { class: "method" }, method.toUpperCase()),
      element("code", {}, path), " ",
      element("span", { class: "about" }, about)),
    rows);
}

function schema(name, details) {
  const body = details.properties ? fields(details) : element("p", {}, type(details));
  return element("details", { id: name, open: "" },
    element("summary", {}, element("code", {}, name), " ",
      element("span", { class: "about" }, details.description ?? "")),
    body);
}

function draw(api) {
  const groups = new Map();
  for (const [path, methods] of Object.entries(api.paths))
    for (const [method, details] of Object.entries(methods)) {
      const tag = details.tags?.[0] ?? "other";
      if (!groups.has(tag)) groups.set(tag, []);
      groups.get(tag).push(operation(path, method, details));
    }
  const main = document.getElementById("main");
  main.replaceChildren();
  for (const [tag, operations] of [...groups].sort()) main.append(element("h2", {}, tag), ...operations);
  main.append(element("h2", {}, "types"));
  for (const [name, details] of Object.entries(api.components?.schemas ?? {})) main.append(schema(name, details));
}

fetch("/api/openapi.json")
  .then((answer) => answer.json())
  .then(draw)
  .catch((error) => document.getElementById("main").replaceChildren("The description cannot be shown: " + error));
