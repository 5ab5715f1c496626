import avro from 'avsc'

/** A schema of Avro. */
export const PERSON = {
  type: 'record',
  name: 'Person',
  fields: [
    { name: 'name', type: 'string' },
    { name: 'age', type: ['null', 'int'] }
  ]
}

/** A person of that schema, as Avro and as JSON. */
export const ANN: Buffer = avro.Type.forSchema(PERSON as never).toBuffer({ name: 'Ann', age: 5 })
export const ANN_JSON = '{"name":"Ann","age":5}'
