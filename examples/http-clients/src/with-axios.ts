import axios from 'axios'
import { unwrap } from './api-error.ts'

export const client = axios.create({ baseURL: 'https://api.example.com/api/' })

client.interceptors.response.use((response) => {
  unwrap(response.data)
  return response
})
