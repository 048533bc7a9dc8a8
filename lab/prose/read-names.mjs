import { Visitor } from 'oxc-parser'

/** Lists the names that a module declares, with their offsets. */
export function readNames(program) {
  const names = []
  const add = ({ type, name, start }) => {
    if (type === 'Identifier' || type === 'PrivateIdentifier') names.push({ name, start })
  }
  const addBinding = (node) => {
    if (!node) return
    const { type, properties, elements, left, argument, value, parameter } = node
    if (type === 'Identifier') add(node)
    else if (type === 'ArrayPattern') for (const element of elements) addBinding(element)
    else if (type === 'ObjectPattern') for (const property of properties) addBinding(property)
    else if (type === 'AssignmentPattern') addBinding(left)
    else addBinding(value ?? argument ?? parameter)
  }
  const addFunction = ({ id, params }) => {
    addBinding(id)
    for (const parameter of params) addBinding(parameter)
  }
  const addKey = ({ key, computed }) => {
    if (!computed) add(key)
  }
  new Visitor({
    VariableDeclarator: ({ id }) => addBinding(id),
    FunctionDeclaration: addFunction,
    FunctionExpression: addFunction,
    ArrowFunctionExpression: addFunction,
    TSFunctionType: addFunction,
    ClassDeclaration: ({ id }) => addBinding(id),
    TSInterfaceDeclaration: ({ id }) => addBinding(id),
    TSTypeAliasDeclaration: ({ id }) => addBinding(id),
    TSTypeParameter: ({ name }) => addBinding(name),
    TSPropertySignature: addKey,
    TSMethodSignature(method) {
      addKey(method)
      addFunction(method)
    },
    PropertyDefinition: addKey,
    MethodDefinition: addKey,
    ObjectExpression({ properties }) {
      for (const property of properties)
        if (property.type === 'Property' && !property.shorthand) addKey(property)
    },
    ImportSpecifier: ({ imported, local }) => imported.name === local.name || addBinding(local),
  }).visit(program)
  return names
}
