// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "dynamics/solve/minimum_degree.h"

#include <algorithm>
#include <cstddef>

#include "core/index.h"

namespace limber::dynamics::solve {

std::span<const int> MinimumDegree::Column(int k) const {
  const Node& node = nodes_[Index(order_[Index(k)])];
  return {lists_.data() + node.begin, Index(node.num_variables)};
}

void MinimumDegree::Link(int i, int degree) {
  Node& node = nodes_[Index(i)];
  node.degree = degree;
  node.last = -1;
  node.next = heads_[Index(degree)];
  if (node.next >= 0) nodes_[Index(node.next)].last = i;
  heads_[Index(degree)] = i;
  least_ = std::min(least_, degree);
}

void MinimumDegree::Unlink(int i) {
  const Node& node = nodes_[Index(i)];
  if (node.next >= 0) nodes_[Index(node.next)].last = node.last;
  if (node.last >= 0) {
    nodes_[Index(node.last)].next = node.next;
  } else {
    heads_[Index(node.degree)] = node.next;
  }
}

void MinimumDegree::Build(int num, std::span<const std::pair<int, int>> edges) {
  nodes_.assign(Index(num), Node{});
  heads_.assign(Index(num) + 1, -1);
  order_.clear();
  mark_ = 0;
  least_ = num;
  for (const auto& [a, b] : edges) {
    ++nodes_[Index(a)].degree;
    ++nodes_[Index(b)].degree;
  }
  int begin = 0;
  for (Node& node : nodes_) {
    node.begin = begin;
    begin += node.degree;
  }
  lists_.resize(Index(begin));
  for (const auto& [a, b] : edges) {
    Node& from = nodes_[Index(a)];
    Node& to = nodes_[Index(b)];
    lists_[Index(from.begin + from.num_variables++)] = b;
    lists_[Index(to.begin + to.num_variables++)] = a;
  }
  for (int i = num - 1; i >= 0; --i) Link(i, nodes_[Index(i)].degree);
}

// The unknowns that meet the pivot directly or in an element it belongs to,
// each once, at the end of the lists. Those elements are no longer needed.
void MinimumDegree::GatherColumn(int pivot) {
  const int begin = static_cast<int>(lists_.size());
  Node& own = nodes_[Index(pivot)];
  own.mark = ++mark_;
  const auto add = [&](int from, int count) {
    for (int k = from; k < from + count; ++k) {
      const int i = lists_[Index(k)];
      Node& node = nodes_[Index(i)];
      if (node.mark == mark_) continue;
      node.mark = mark_;
      lists_.push_back(i);
    }
  };
  add(own.begin + own.num_elements, own.num_variables);
  for (int k = 0; k < own.num_elements; ++k) {
    Node& element = nodes_[Index(lists_[Index(own.begin + k)])];
    add(element.begin, element.num_variables);
    element.absorbed = true;
  }
  own.begin = begin;
  own.num_elements = 0;
  own.num_variables = static_cast<int>(lists_.size()) - begin;
}

// Unknown i of the pivot's column: what the new element covers leaves its
// lists, and its degree is bounded anew.
void MinimumDegree::UpdateNeighbour(int i, int pivot, int size, int left) {
  Node& node = nodes_[Index(i)];
  int* list = lists_.data() + node.begin;
  int num_elements = 0;
  int degree = size - 1;
  for (int k = 0; k < node.num_elements; ++k) {
    const Node& element = nodes_[Index(list[k])];
    if (element.absorbed) continue;
    degree += element.outside;
    list[num_elements++] = list[k];
  }
  const int first = node.num_elements;
  int kept = 0;
  for (int k = 0; k < node.num_variables; ++k) {
    const int j = list[first + k];
    if (nodes_[Index(j)].mark == mark_) continue;  // The pivot or a neighbour.
    list[first + kept++] = j;
  }
  // The pivot was in one of the two lists, or an element that it absorbed:
  // there is room for the new element between them.
  const int* from = list + first;
  int* to = list + num_elements + 1;
  if (to <= from) {
    std::copy(from, from + kept, to);
  } else {
    std::copy_backward(from, from + kept, to + kept);
  }
  list[num_elements] = pivot;
  node.num_elements = num_elements + 1;
  node.num_variables = kept;
  degree = std::min({degree + kept, node.degree + size - 1, left - 1});
  Unlink(i);
  Link(i, degree);
}

void MinimumDegree::Eliminate(int pivot) {
  Unlink(pivot);
  GatherColumn(pivot);
  order_.push_back(pivot);
  const int begin = nodes_[Index(pivot)].begin;
  const int size = nodes_[Index(pivot)].num_variables;
  const int left = static_cast<int>(nodes_.size() - order_.size());
  // How much of every other element lies outside of the column.
  const int seen = ++mark_;
  for (int k = begin; k < begin + size; ++k) {
    const Node& node = nodes_[Index(lists_[Index(k)])];
    for (int e = node.begin; e < node.begin + node.num_elements; ++e) {
      Node& element = nodes_[Index(lists_[Index(e)])];
      if (element.absorbed) continue;
      if (element.mark != seen) {
        element.mark = seen;
        // An element of which an unknown is eliminated is absorbed: all of
        // these are left.
        element.outside = element.num_variables;
      }
      --element.outside;
    }
  }
  const int members = ++mark_;
  nodes_[Index(pivot)].mark = members;
  for (int k = begin; k < begin + size; ++k) {
    nodes_[Index(lists_[Index(k)])].mark = members;
  }
  for (int k = begin; k < begin + size; ++k) {
    UpdateNeighbour(lists_[Index(k)], pivot, size, left);
  }
}

void MinimumDegree::Order(int num, std::span<const std::pair<int, int>> edges) {
  Build(num, edges);
  while (static_cast<int>(order_.size()) < num) {
    while (heads_[Index(least_)] < 0) ++least_;
    Eliminate(heads_[Index(least_)]);
  }
}

}  // namespace limber::dynamics::solve
